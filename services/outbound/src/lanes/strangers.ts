import { conversationIdOf, type DataOf, ListKnownChats, type MessageReceived } from '@messaging-gateway/contracts';
import { type Clock, Recent } from '@messaging-gateway/runtime';
import type { ServiceTools, Sql } from '@messaging-gateway/service';

export interface StrangersParts {
  readonly sql: Sql;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly clock: Pick<Clock, 'now'>;
}

/** A one-to-one chat of a profile, or a group. */
export interface ChatOf {
  readonly organizationId: string;
  readonly profileId: string;
  /** JID. */
  readonly to: string;
}

/** `stranger`: the other person of a one-to-one chat has never written to the profile. */
type Standing = 'known' | 'stranger';

/** Chats remembered in memory, at most. */
const maxRemembered = 50_000;
/** A stranger who wrote to another replica is found out after this time, milliseconds. */
const strangerMs = 10_000;
/** Chats in one request to the inbox. */
const maxChats = 200;

/**
 * Tells strangers from people who have written to a profile. The inbox is queried only when it matters: while the account is restricted.
 * A known chat is stored permanently; a stranger is remembered until the stranger writes.
 */
export class Strangers {
  readonly #parts: StrangersParts;
  readonly #known = new Recent<true>(maxRemembered);
  /** By conversation: when it was found out, milliseconds since 1970. */
  readonly #strangers = new Recent<number>(maxRemembered);

  constructor(parts: StrangersParts) {
    this.#parts = parts;
  }

  /** Undefined: not found out yet, or too long ago. */
  standingOf(conversationId: string): Standing | undefined {
    if (this.#known.has(conversationId)) return 'known';
    const since = this.#strangers.get(conversationId);
    return since !== undefined && this.#parts.clock.now() - since < strangerMs ? 'stranger' : undefined;
  }

  /** @throws Refused SERVICE_UNAVAILABLE while the inbox does not answer; Unavailable */
  async isStranger(chat: ChatOf): Promise<boolean> {
    const conversationId = conversationIdOf(chat.profileId, chat.to);
    if (this.standingOf(conversationId) === undefined) await this.find(chat, [chat.to]);
    return this.standingOf(conversationId) === 'stranger';
  }

  /**
   * Finds out about chats of one profile.
   *
   * @param chats JIDs
   * @throws as `isStranger`
   */
  async find({ organizationId, profileId }: Omit<ChatOf, 'to'>, chats: readonly string[]): Promise<void> {
    if (chats.length === 0) return;
    const byId = new Map(chats.map((chat) => [conversationIdOf(profileId, chat), chat]));
    const { ask, clock, sql } = this.#parts;
    const since = clock.now();
    const stored = await sql.query<{ conversation_id: string }>(
      'SELECT conversation_id FROM known_chats WHERE conversation_id = ANY ($1::uuid[])',
      [[...byId.keys()]],
    );
    for (const { conversation_id: id } of stored) this.#meet(id);
    const rest = [...byId].filter(([id]) => !this.#known.has(id)).map(([, chat]) => chat);
    for (let from = 0; from < rest.length; from += maxChats) {
      const asked = rest.slice(from, from + maxChats);
      const { known } = await ask(ListKnownChats, { organizationId, profileId, chats: asked });
      const ids = known.map((chat) => conversationIdOf(profileId, chat));
      await this.#store(organizationId, profileId, ids);
      for (const chat of asked) {
        const id = conversationIdOf(profileId, chat);
        if (!this.#known.has(id)) this.#strangers.set(id, since);
      }
    }
  }

  /**
   * A person wrote. Costs nothing unless the chat was found to be that of a stranger.
   *
   * @returns whether it was
   */
  async wrote(
    organizationId: string,
    profileId: string,
    { conversationId, from }: Pick<DataOf<typeof MessageReceived>, 'conversationId' | 'from'>,
  ): Promise<boolean> {
    const ids = [...new Set([conversationId, conversationIdOf(profileId, from)])];
    if (!ids.some((id) => this.#strangers.has(id))) return false;
    await this.#store(organizationId, profileId, ids);
    return true;
  }

  /** The profile is gone. */
  async forget(profileId: string): Promise<void> {
    await this.#parts.sql.query('DELETE FROM known_chats WHERE profile_id = $1', [profileId]);
  }

  async #store(organizationId: string, profileId: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0)
      await this.#parts.sql.query(
        `INSERT INTO known_chats (conversation_id, profile_id, organization_id) SELECT id, $2, $3 FROM unnest($1::uuid[]) AS known(id)
         ON CONFLICT DO NOTHING`,
        [ids, profileId, organizationId],
      );
    for (const id of ids) this.#meet(id);
  }

  #meet(conversationId: string): void {
    this.#known.set(conversationId, true);
    this.#strangers.delete(conversationId);
  }
}
