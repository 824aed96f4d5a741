import type { DataOf, SessionMessage } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { ServiceTools } from '@messaging-gateway/service';
import { findContactSlot, type ContactPlace, type ContactSlot, type PersonNames } from './contact-id.ts';
import { contactStream, heardEarlier } from './contact.ts';
import { absorbLid, forgetLid } from './known-by-lid.ts';
import { moveContact, moveContacts } from './number-changes.ts';

type Arrived = Pick<
  DataOf<typeof SessionMessage>,
  'profileId' | 'networkMessageId' | 'chat' | 'fromMe' | 'pushName' | 'delivery'
>;

/** Contacts made of people who write. */
export interface Acquaintances {
  /**
   * Makes a contact of a stranger who writes to a profile, and keeps the name that the person goes by on the network.
   * Those who only write in groups are left alone. What is written to a contact from the phone makes known that a phone and a
   * LID are one person's.
   *
   * @returns whether it is the first message that the person has ever written to the profile, to be asked however often. Those of
   *   groups never are
   */
  meet(message: Arrived, conversationId: string, metadata: EventMetadata): Promise<boolean>;
}

const most = 20_000;
interface Met {
  readonly contactId: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Absent: nobody has asked. */
  readonly firstHeard: string | undefined;
}

/** Another replica may have learned another name, milliseconds. */
const keptMs = 10_000;

const lidOf = (jid: string): string | undefined => (jid.endsWith('@lid') ? jid : undefined);

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'store' | 'clock'>;

export function acquaintances({ sql, store, clock }: Tools): Acquaintances {
  const met = new Map<string, Met>();

  const note = (key: string, contactId: string, firstHeard?: string): void => {
    if (met.size >= most) met.clear();
    met.set(key, { contactId, until: clock.now() + keptMs, firstHeard });
  };

  return {
    meet: async ({ profileId, networkMessageId, chat, fromMe, delivery, ...message }, conversationId, metadata) => {
      const { jid, phone, lid } = chat;
      if (jid.endsWith('@g.us') || (fromMe && (phone === undefined || lid === undefined))) return false;
      const pushName = fromMe ? undefined : message.pushName;
      const place = { organizationId: metadata.organizationId, profileId };
      const names = { phone, lid: lid ?? lidOf(jid) };
      const key = `${profileId} ${phone ?? ''} ${lid ?? jid} ${pushName ?? ''}`;
      const known = met.get(key);
      const isMet = known !== undefined && known.until > clock.now() && (fromMe || known.firstHeard !== undefined);
      if (isMet && (fromMe || (await isThere(sql, known.contactId))))
        return !fromMe && known.firstHeard === networkMessageId;
      const slot = await findContactSlot(sql, place, names);
      const { contactId } = slot;
      // History names the number that the person had then.
      if (delivery !== 'history') await follow({ sql, store }, place, slot, { phone, lid }, metadata);
      const before = await absorbLid(store, place, chat);
      if (fromMe && before?.known === undefined && !(await isThere(sql, contactId))) {
        note(key, contactId);
        return false;
      }
      const identity = { contactId, profileId, ...(phone !== undefined && { phone }), lid: lid ?? lidOf(jid) };
      const silent = delivery === 'history';
      const command = {
        type: 'Meet',
        identity,
        pushName: pushName ?? undefined,
        silent,
        before: before?.known,
        firstHeard: before?.firstHeard,
        hears: fromMe ? undefined : networkMessageId,
      } as const;
      let { firstHeard } = (await store.handle(contactStream, contactId, command, { metadata })).state;
      if (!fromMe && firstHeard === undefined) {
        // Once for each contact that was made otherwise, or before this was noted.
        const first = (await wroteEarlier(sql, conversationId, networkMessageId)) ? heardEarlier : networkMessageId;
        const noted = await store.handle(contactStream, contactId, { ...command, firstHeard: first }, { metadata });
        ({ firstHeard } = noted.state);
      }
      await forgetLid(store, before, contactId, metadata);
      note(key, contactId, firstHeard);
      return !fromMe && firstHeard === networkMessageId;
    },
  };
}

/** Not cached: another replica may have just deleted the conversation, and then the person is a stranger again. */
const isThere = async (sql: Tools['sql'], contactId: string): Promise<boolean> =>
  (await sql.query('SELECT FROM contacts WHERE id = $1 AND NOT deleted', [contactId])).length > 0;

/** Whether another message of the person is stored, or may have been: what was cleared is gone. */
async function wroteEarlier(sql: Tools['sql'], conversationId: string, networkMessageId: string): Promise<boolean> {
  const rows = await sql.query(
    `SELECT FROM conversations WHERE id = $1 AND cleared_at IS NOT NULL
     UNION ALL
     (SELECT FROM messages m
       WHERE (m.conversation_id = $1 OR m.conversation_id IN (SELECT id FROM conversation_aliases WHERE conversation_id = $1))
         AND m.direction = 'incoming' AND m.network_message_id <> $2 LIMIT 1)`,
    [conversationId, networkMessageId],
  );
  return rows.length > 0;
}

/** Moves the contact of a person who writes from another number than the one that is kept. */
async function follow(
  tools: Pick<Tools, 'sql' | 'store'>,
  place: ContactPlace,
  slot: ContactSlot,
  { phone, lid }: PersonNames,
  metadata: EventMetadata,
): Promise<void> {
  const { keptPhone: previousPhone } = slot;
  if (previousPhone === undefined || phone === undefined) return;
  await moveContact(tools, slot, { phone, lid }, metadata);
  await moveContacts(tools, place, { previousPhone, phone, lid }, metadata);
}
