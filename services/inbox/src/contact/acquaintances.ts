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
   * Those who only write in groups are left alone.
   */
  meet(message: Arrived, metadata: EventMetadata): Promise<void>;
  /** A contact was deleted: whoever it was is a stranger again. */
  forget(contactId: string): void;
}

const most = 20_000;
/** A contact may be deleted on another replica; milliseconds. */
const keptMs = 10_000;

const lidOf = (jid: string): string | undefined => (jid.endsWith('@lid') ? jid : undefined);

export function acquaintances({ store, clock }: Pick<ServiceTools<unknown>, 'store' | 'clock'>): Acquaintances {
  const met = new Map<string, number>();
  return {
    forget: (contactId) => {
      for (const key of met.keys()) if (key.startsWith(contactId)) met.delete(key);
    },
    meet: async ({ profileId, chat, fromMe, pushName, delivery }, metadata) => {
      const { jid, phone, lid } = chat;
      if (fromMe || jid.endsWith('@g.us')) return;
      const place = { organizationId: metadata.organizationId, profileId };
      const contactId = contactIdOf(place, phone ?? lid ?? jid);
      const key = `${contactId} ${lid ?? ''} ${pushName ?? ''}`;
      if ((met.get(key) ?? 0) > clock.now()) return;
      const before = await absorbLid(store, place, chat);
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
      await forgetLid(store, before, metadata);
      if (met.size >= most) met.clear();
      met.set(key, clock.now() + keptMs);
    },
  };
}
