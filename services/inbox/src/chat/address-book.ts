import { conversationIdOf, type DataOf, type SessionMessage } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { ServiceTools } from '@messaging-gateway/service';
import { conversationStream, type ConversationCommand } from './conversation.ts';

export type NetworkAddress = DataOf<typeof SessionMessage>['chat'];

/** Which conversation an address of the network leads to. */
export interface AddressBook {
  /**
   * The id of the conversation of a profile with an address. A person who turns out to be known by phone and by LID
   * has one conversation: the older id survives, the other becomes an alias of it.
   */
  conversationOf(profileId: string, address: NetworkAddress, metadata: EventMetadata): Promise<string>;
  /**
   * The conversation of an address, and whether it has had another id: then the same message may have been stored under
   * that.
   */
  find(profileId: string, address: NetworkAddress, metadata: EventMetadata): Promise<Found>;
  /** The network returned another form of a number: the conversation with the requested one becomes part of the one with that form. */
  correct(profileId: string, requested: string, returned: string, metadata: EventMetadata): Promise<void>;
  /** The JID of the conversation that a JID leads to: of a number that was corrected, the form that the network returned. */
  currentAddress(profileId: string, jid: string): Promise<string>;
}

interface Found {
  readonly conversationId: string;
  readonly joined: boolean;
}

const most = 20_000;
/** An address may be joined by another replica, which had the profile's messages for a while; milliseconds. */
const keptMs = 10_000;

interface Known extends Found {
  readonly until: number;
}

/** The form of an address that answers and events show: the phone where it is known. */
export const shownJid = ({ jid, phone }: NetworkAddress): string => (phone === undefined ? jid : `${phone}@c.us`);

/** The address of somebody of whom one JID is known. */
export const addressOf = (jid: string): NetworkAddress =>
  jid.endsWith('@c.us') ? { jid, phone: jid.slice(0, -'@c.us'.length) } : { jid };

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'store' | 'clock'>;

export function addressBook({ sql, store, clock }: Tools): AddressBook {
  const known = new Map<string, Known>();

  /** @param ids of conversations */
  const resolve = async (ids: readonly string[]): Promise<{ targets: string[]; joined: boolean }> => {
    const aliases = await sql.query<{ id: string; conversation_id: string }>(
      'SELECT id, conversation_id FROM conversation_aliases WHERE id = ANY ($1) OR conversation_id = ANY ($1)',
      [ids],
    );
    const known = new Map(aliases.map((alias) => [alias.id, alias.conversation_id]));
    return { targets: [...new Set(ids.map((id) => known.get(id) ?? id))], joined: aliases.length > 0 };
  };

  let joining: Promise<unknown> = Promise.resolve();
  /**
   * One join of a profile at a time, in whichever replica: two that look for the survivor at once may each find another one,
   * and two aliases would lead to each other. One of a process at a time, so that those who wait take one connection only.
   */
  const joinAlone = (
    profileId: string,
    ids: readonly string[],
    metadata: EventMetadata,
    jid?: string,
  ): Promise<string> => {
    const joined = joining.then(() =>
      sql.transaction(async (locked) => {
        await locked.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`inbox join ${profileId}`]);
        const { targets } = await resolve(ids);
        const [only = ''] = targets;
        if (targets.length === 1) return only;
        const survivor = await joinConversations({ sql, store }, profileId, targets, metadata, jid);
        known.clear(); // ids of joined conversations lead elsewhere now
        return survivor;
      }),
    );
    joining = joined.catch(() => undefined);
    return joined;
  };

  const find = async (profileId: string, address: NetworkAddress, metadata: EventMetadata): Promise<Found> => {
    const ids = formsOf(address).map((jid) => conversationIdOf(profileId, jid));
    const key = ids.join(' ');
    const before = known.get(key);
    if (before !== undefined && before.until > clock.now()) return before;
    const { targets, joined } = await resolve(ids);
    const [only = ''] = targets;
    const conversationId = targets.length === 1 ? only : await joinAlone(profileId, ids, metadata);
    if (known.size >= most) known.clear();
    const found = { conversationId, joined: joined || targets.length > 1, until: clock.now() + keptMs };
    known.set(key, found);
    return found;
  };

  const correct: AddressBook['correct'] = async (profileId, requested, returned, metadata) => {
    const ids = [returned, requested].map((jid) => conversationIdOf(profileId, jid));
    const { targets } = await resolve(ids);
    if (targets.length > 1) await joinAlone(profileId, ids, metadata, returned);
  };

  return {
    find,
    correct,
    currentAddress: (profileId, jid) => currentAddressIn(sql, profileId, jid),
    conversationOf: async (profileId, address, metadata) => (await find(profileId, address, metadata)).conversationId,
  };
}

/**
 * @param ids two or more; where none of them is a conversation yet, the first survives. Nobody else joins meanwhile.
 * @param jid of the chat from now on; absent: decided by the messages
 */
const joinConversations = async (
  { sql, store }: Pick<Tools, 'sql' | 'store'>,
  profileId: string,
  ids: readonly string[],
  metadata: EventMetadata,
  jid?: string,
): Promise<string> => {
  const rows = await sql.query<JoinedRow>(
    `SELECT id, pinned IS TRUE AS pinned, archived IS TRUE AS archived FROM conversations
      WHERE id = ANY ($1) AND deleted IS NOT TRUE ORDER BY created_at, id`,
    [ids],
  );
  const [first = ''] = ids;
  const survivor = rows[0]?.id ?? first;
  for (const command of keptOf(rows, survivor, profileId))
    await store.handle(conversationStream, survivor, command, { metadata });
  for (const conversationId of ids) {
    const renamed = jid === undefined ? {} : { jid };
    const command = { type: 'Join', conversationId, profileId, into: survivor, ...renamed } as const;
    if (conversationId !== survivor) await store.handle(conversationStream, conversationId, command, { metadata });
  }
  return survivor;
};

const currentAddressIn = async (sql: Tools['sql'], profileId: string, jid: string): Promise<string> => {
  if (!jid.endsWith('@c.us')) return jid;
  const [conversation] = await sql.query<{ jid: string }>(
    `SELECT jid FROM conversations
      WHERE id = coalesce((SELECT conversation_id FROM conversation_aliases WHERE id = $1), $1) AND jid LIKE '%@c.us'`,
    [conversationIdOf(profileId, jid)],
  );
  return conversation?.jid ?? jid;
};

interface JoinedRow {
  readonly id: string;
  readonly pinned: boolean;
  readonly archived: boolean;
}

/** Pinned is what was pinned under either name, archived only what was archived under both. */
function keptOf(rows: readonly JoinedRow[], conversationId: string, profileId: string): ConversationCommand[] {
  if (rows.length < 2) return [];
  const archived = rows.every((row) => row.archived);
  return [
    { type: 'Archive', conversationId, profileId, archived },
    ...(rows.some((row) => row.pinned) ? [{ type: 'Pin' as const, conversationId, profileId, pinned: true }] : []),
  ];
}

/** Every name of the address, the phone first. */
function formsOf(address: NetworkAddress): string[] {
  const { jid, lid } = address;
  return [...new Set([shownJid(address), jid, ...(lid === undefined ? [] : [lid])])];
}
