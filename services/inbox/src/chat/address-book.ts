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
  /**
   * A person has another phone number: the conversation under the number before continues under the new one.
   * Without a conversation under the number before, nothing changes.
   */
  renumber(
    profileId: string,
    change: { readonly previousPhone: string; readonly phone: string },
    metadata: EventMetadata,
  ): Promise<void>;
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

  // What led to a joined conversation leads to another one now.
  const joinAlone = joiner({ sql, store }, () => known.clear());

  const find = async (profileId: string, address: NetworkAddress, metadata: EventMetadata): Promise<Found> => {
    const ids = formsOf(address).map((jid) => conversationIdOf(profileId, jid));
    const key = ids.join(' ');
    const before = known.get(key);
    if (before !== undefined && before.until > clock.now()) return before;
    const { targets, joined } = await resolve(sql, ids);
    const [only = ''] = targets;
    const conversationId = targets.length === 1 ? only : await joinAlone(profileId, ids, metadata);
    if (known.size >= most) known.clear();
    const found = { conversationId, joined: joined || targets.length > 1, until: clock.now() + keptMs };
    known.set(key, found);
    return found;
  };

  const renumber: AddressBook['renumber'] = async (profileId, { previousPhone, phone }, metadata) => {
    const [before, after] = [`${previousPhone}@c.us`, `${phone}@c.us`];
    const ids = [before, after].map((jid) => conversationIdOf(profileId, jid));
    const { targets } = await resolve(sql, ids);
    const rows = await sql.query('SELECT FROM conversations WHERE id = ANY ($1) AND jid = $2', [targets, before]);
    if (rows.length > 0) await joinAlone(profileId, ids, metadata, after);
  };

  const correct: AddressBook['correct'] = async (profileId, requested, returned, metadata) => {
    const ids = [returned, requested].map((jid) => conversationIdOf(profileId, jid));
    const { targets } = await resolve(sql, ids);
    if (targets.length > 1) await joinAlone(profileId, ids, metadata, returned);
  };

  return {
    find,
    renumber,
    correct,
    currentAddress: (profileId, jid) => currentAddressIn(sql, profileId, jid),
    conversationOf: async (profileId, address, metadata) => (await find(profileId, address, metadata)).conversationId,
  };
}

/** @param jid of the surviving conversation from now on; absent: decided by the messages */
type JoinAlone = (profileId: string, ids: readonly string[], metadata: EventMetadata, jid?: string) => Promise<string>;

/** Joins conversations. @param onJoined called after each join */
function joiner({ sql, store }: Pick<Tools, 'sql' | 'store'>, onJoined: () => void): JoinAlone {
  /** @param ids two or more; where none of them is a conversation yet, the first survives. Nobody else joins meanwhile. */
  const join: JoinAlone = async (profileId, ids, metadata, jid) => {
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
    onJoined();
    return survivor;
  };

  let joining: Promise<unknown> = Promise.resolve();
  /**
   * One join of a profile at a time, in whichever replica: two that look for the survivor at once may each find another one,
   * and two aliases would lead to each other. One of a process at a time, so that those who wait take one connection only.
   */
  const joinAlone: JoinAlone = (profileId, ids, metadata, jid) => {
    const joined = joining.then(() =>
      sql.transaction(async (locked) => {
        await locked.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`inbox join ${profileId}`]);
        const { targets } = await resolve(sql, ids);
        const [only = ''] = targets;
        return targets.length === 1 ? only : join(profileId, targets, metadata, jid);
      }),
    );
    joining = joined.catch(() => undefined);
    return joined;
  };

  return joinAlone;
}

/** Follows the aliases of conversations that were joined. @param ids of conversations */
async function resolve(
  sql: Tools['sql'],
  ids: readonly string[],
): Promise<{ readonly targets: readonly string[]; readonly joined: boolean }> {
  const aliases = await sql.query<{ id: string; conversation_id: string }>(
    'SELECT id, conversation_id FROM conversation_aliases WHERE id = ANY ($1) OR conversation_id = ANY ($1)',
    [ids],
  );
  const byId = new Map(aliases.map((alias) => [alias.id, alias.conversation_id]));
  return { targets: [...new Set(ids.map((id) => byId.get(id) ?? id))], joined: aliases.length > 0 };
}

async function currentAddressIn(sql: Tools['sql'], profileId: string, jid: string): Promise<string> {
  if (!jid.endsWith('@c.us')) return jid;
  const [conversation] = await sql.query<{ jid: string }>(
    `SELECT jid FROM conversations
      WHERE id = coalesce((SELECT conversation_id FROM conversation_aliases WHERE id = $1), $1) AND jid LIKE '%@c.us'`,
    [conversationIdOf(profileId, jid)],
  );
  return conversation?.jid ?? jid;
}

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
