import type { QueryClient } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { titleOf, type Conversation } from '../../messages/shapes.ts';
import { patched, upserted, without, type Kept } from './kept-list.ts';
import { Readings } from './readings.ts';

/** Which conversations are listed. */
export interface Filter {
  readonly shown: 'all' | 'unread' | 'groups' | 'archived';
  readonly profileId: string;
  readonly search: string;
}

/** Whether a conversation belongs into a list; of a search only the server knows all. */
const fits = ({ shown, profileId, search }: Filter, conversation: Conversation): boolean =>
  conversation.archived === (shown === 'archived') &&
  (shown !== 'unread' || conversation.unreadCount > 0) &&
  (shown !== 'groups' || conversation.type === 'group') &&
  (profileId === '' || conversation.profileId === profileId) &&
  `${titleOf(conversation)} ${conversation.jid}`.toLowerCase().includes(search.toLowerCase());

const before = (one: Conversation, other: Conversation): boolean =>
  one.pinned === other.pinned ? (one.lastMessageAt ?? '') > (other.lastMessageAt ?? '') : one.pinned;

type List = Kept<Conversation>;
type Change = (conversation: Conversation) => Conversation;

const listsKey = ['ListConversations', 'kept'];
export const listKey = (filter: Filter) => [...listsKey, filter];
export const requestOf = (id: string) => ({ params: { id }, query: {} });
const singleKey = (id: string) => ['GetConversation', requestOf(id)];

/** Lists by their filters; answers about one conversation without any. */
export const readings = new Readings<Filter | undefined, List>();

/** One conversation as an answer says, with what was told while that was under way; undefined when it was dropped meanwhile. */
export const withNews = async (answer: () => Promise<Conversation>): Promise<Conversation | undefined> =>
  (await readings.read(undefined, async () => ({ items: [await answer()], nextCursor: null }))).items[0];

/** Conversations in the cache, for changing them as events and answers say. */
export class KeptConversations {
  readonly #client: QueryClient;

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** One that is kept anywhere. */
  find(id: string): Conversation | undefined {
    const single = this.#client.getQueryData<Conversation>(singleKey(id));
    return single ?? this.#lists().flatMap(([, kept]) => kept.items.filter((one) => one.id === id))[0];
  }

  /** Keeps one that is known from a list as if it had been asked for by itself. */
  keepSingle(id: string): void {
    const queryKey = singleKey(id);
    if (this.#client.getQueryData(queryKey) !== undefined) return;
    for (const [filter, { items }] of this.#lists()) {
      const known = items.find((one) => one.id === id);
      if (known === undefined) continue;
      this.#client.setQueryData(queryKey, known);
      if (this.#client.getQueryState(listKey(filter))?.isInvalidated === true)
        void this.#client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
      return;
    }
  }

  /** Reads a conversation, and puts it into its place. @throws Problem */
  read(id: string): Promise<void> {
    return this.take(() => ask('GetConversation', requestOf(id)));
  }

  /** Puts a conversation as an answer says into its place in all lists that it fits. What was told while that was under way is newer. */
  async take(answer: () => Promise<Conversation>): Promise<void> {
    const asOf = readings.moment();
    const conversation = await withNews(answer);
    if (conversation === undefined || readings.isLeftSince(asOf)) return;
    this.#client.setQueryData(singleKey(conversation.id), conversation);
    this.#tell((filter) => (kept) => placed(filter, kept, conversation), asOf);
  }

  /** Changes a conversation that is known, and moves it to its place. The change meets each as its list has it. */
  change(id: string, change: Change): void {
    const known = this.find(id);
    if (known === undefined) return;
    this.#client.setQueryData<Conversation>(singleKey(id), (now) => now && change(now));
    this.#tell((filter) => (kept) => {
      const now = kept.items.find((one) => one.id === id) ?? known;
      return placed(filter, kept, change(now));
    });
  }

  /** Changes a conversation without moving it. */
  patch(id: string, change: Change): void {
    this.#tell(() => (kept) => patched(kept, id, change));
  }

  drop(id: string): void {
    this.#tell(() => (kept) => without(kept, id));
  }

  #lists(): (readonly [Filter, List])[] {
    return this.#client
      .getQueriesData<List>({ queryKey: listsKey })
      .flatMap(([key, kept]) => (kept === undefined ? [] : [[key[2] as Filter, kept] as const]));
  }

  /** Changes all lists, and what is being read. */
  #tell(changeOf: (filter: Filter | undefined) => (kept: List) => List, asOf?: number): void {
    for (const [filter, kept] of this.#lists()) this.#client.setQueryData(listKey(filter), changeOf(filter)(kept));
    readings.tell(changeOf, asOf);
  }
}

/** The list with a conversation in its place, or without it where it does not belong into it. */
function placed(filter: Filter | undefined, kept: List, conversation: Conversation): List {
  const { id } = conversation;
  const isThere = kept.items.some((one) => one.id === id);
  // An answer about one conversation takes no other one.
  if (filter === undefined) return isThere ? upserted(kept, conversation, before) : kept;
  const belongs = fits(filter, conversation) || (filter.search !== '' && isThere);
  return belongs ? upserted(kept, conversation, before) : without(kept, id);
}
