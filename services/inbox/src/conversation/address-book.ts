import { conversationIdOf, type DataOf, type SessionMessage } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import type { ServiceTools } from '@messaging-gateway/service';
import { conversationStream } from './conversation.ts';

export type NetworkAddress = DataOf<typeof SessionMessage>['chat'];

/** Which conversation an address of the network leads to. */
export interface AddressBook {
  /**
   * The id of the conversation of a profile with an address. A person who turns out to be known by phone and by LID
   * has one conversation: the older id survives, the other becomes an alias of it.
   */
  conversationOf(profileId: string, address: NetworkAddress, metadata: EventMetadata): Promise<string>;
}

const most = 20_000;
/** An address may be joined by another replica, which had the profile's messages for a while; milliseconds. */
const keptMs = 10_000;

interface Known {
  readonly conversationId: string;
  readonly until: number;
}

/** The form of an address that answers and events show: the phone where it is known. */
export const shownJid = ({ jid, phone }: NetworkAddress): string => (phone === undefined ? jid : `${phone}@c.us`);

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'store' | 'clock'>;

export function addressBook({ sql, store, clock }: Tools): AddressBook {
  const known = new Map<string, Known>();

  const resolve = async (ids: readonly string[]): Promise<string[]> => {
    const aliases = await sql.query<{ id: string; conversation_id: string }>(
      'SELECT id, conversation_id FROM conversation_aliases WHERE id = ANY ($1)',
      [ids],
    );
    const targets = new Map(aliases.map((alias) => [alias.id, alias.conversation_id]));
    return [...new Set(ids.map((id) => targets.get(id) ?? id))];
  };

  /** @param ids two or more; where none of them is a conversation yet, the first survives */
  const join = async (profileId: string, ids: readonly string[], metadata: EventMetadata): Promise<string> => {
    const rows = await sql.query<{ id: string }>(
      'SELECT id FROM conversations WHERE id = ANY ($1) ORDER BY created_at, id',
      [ids],
    );
    const [first = ''] = ids;
    const survivor = rows[0]?.id ?? first;
    for (const conversationId of ids) {
      const command = { type: 'Join', conversationId, profileId, into: survivor } as const;
      if (conversationId !== survivor) await store.handle(conversationStream, conversationId, command, { metadata });
    }
    known.clear(); // what led to a joined one leads elsewhere now
    return survivor;
  };

  return {
    conversationOf: async (profileId, address, metadata) => {
      const ids = formsOf(address).map((jid) => conversationIdOf(profileId, jid));
      const key = ids.join(' ');
      const before = known.get(key);
      if (before !== undefined && before.until > clock.now()) return before.conversationId;
      const targets = await resolve(ids);
      const found = targets.length === 1 ? (targets[0] as string) : await join(profileId, targets, metadata);
      if (known.size >= most) known.clear();
      known.set(key, { conversationId: found, until: clock.now() + keptMs });
      return found;
    },
  };
}

/** Every name of the address, the phone first. */
function formsOf(address: NetworkAddress): string[] {
  const { jid, lid } = address;
  return [...new Set([shownJid(address), jid, ...(lid === undefined ? [] : [lid])])];
}
