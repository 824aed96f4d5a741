import type { DataOf, SessionMessage } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { ServiceTools } from '@messaging-gateway/service';
import { contactIdOf } from './contact-id.ts';
import { contactStream } from './contact.ts';
import { absorbLid, forgetLid } from './known-by-lid.ts';

type Arrived = Pick<DataOf<typeof SessionMessage>, 'profileId' | 'chat' | 'fromMe' | 'pushName' | 'delivery'>;

/** Whoever writes becomes a contact. */
export interface Acquaintances {
  /**
   * Makes a contact of a stranger who writes to a profile, and keeps the name that the person goes by on the network.
   * Those who only write in groups are left alone. What is written to a contact from the phone makes known that a phone and a
   * LID are one person's.
   */
  meet(message: Arrived, metadata: EventMetadata): Promise<void>;
}

const most = 20_000;
/** Another replica may have learned another name, milliseconds. */
const keptMs = 10_000;

const lidOf = (jid: string): string | undefined => (jid.endsWith('@lid') ? jid : undefined);

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'store' | 'clock'>;

export function acquaintances({ sql, store, clock }: Tools): Acquaintances {
  const met = new Map<string, number>();

  /** Asked each time: any replica may have deleted it a moment ago, and then the person is a stranger again. */
  const isThere = async (contactId: string): Promise<boolean> =>
    (await sql.query('SELECT FROM contacts WHERE id = $1 AND NOT deleted', [contactId])).length > 0;

  const note = (key: string): void => {
    if (met.size >= most) met.clear();
    met.set(key, clock.now() + keptMs);
  };

  return {
    meet: async ({ profileId, chat, fromMe, delivery, ...message }, metadata) => {
      const { jid, phone, lid } = chat;
      if (jid.endsWith('@g.us') || (fromMe && (phone === undefined || lid === undefined))) return;
      const pushName = fromMe ? undefined : message.pushName;
      const place = { organizationId: metadata.organizationId, profileId };
      const contactId = contactIdOf(place, phone ?? lid ?? jid);
      const key = `${contactId} ${lid ?? ''} ${pushName ?? ''}`;
      const isMet = (met.get(key) ?? 0) > clock.now();
      if (isMet && (fromMe || (await isThere(contactId)))) return;
      const before = await absorbLid(store, place, chat);
      if (fromMe && before === undefined && !(await isThere(contactId))) return note(key);
      const identity = { contactId, profileId, ...(phone !== undefined && { phone }), lid: lid ?? lidOf(jid) };
      const silent = delivery === 'history';
      const command = {
        type: 'Meet',
        identity,
        pushName: pushName ?? undefined,
        silent,
        before: before?.known,
      } as const;
      await store.handle(contactStream, contactId, command, { metadata });
      await forgetLid(store, before, contactId, metadata);
      note(key);
    },
  };
}
