import { conversationIdOf, type DataOf, ListKnownChats, type MessageReceived } from '@messaging-gateway/contracts';
import { type Clock, type Logger, Recent } from '@messaging-gateway/runtime';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import { dayOf } from '../time/clock.ts';

export interface StrangersParts {
  readonly sql: Sql;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
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
/** Receivers are counted together after this time, milliseconds. */
const countMs = 500;
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

  readonly #counted = new Recent<true>(maxRemembered);
  readonly #sent = new Map<string, Omit<ChatOf, 'to'> & { readonly day: string; readonly chats: Set<string> }>();
  #timer: NodeJS.Timeout | undefined;

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

  idOf({ profileId, to }: ChatOf): string {
    return conversationIdOf(profileId, to);
  }

  /** Strangers to whom a profile wrote on a day, by conversation. */
  async writtenTo(profileId: string, day: string): Promise<Set<string>> {
    const rows = await this.#parts.sql.query<{ conversation_id: string }>(
      'SELECT conversation_id FROM stranger_days WHERE profile_id = $1 AND day = $2::date',
      [profileId, day],
    );
    return new Set(rows.map(({ conversation_id: id }) => id));
  }

  /** Counts strangers to whom a profile writes, each once a day. */
  async count({ organizationId, profileId }: Omit<ChatOf, 'to'>, day: string, ids: readonly string[]): Promise<void> {
    await this.#parts.sql.query(
      `INSERT INTO stranger_days (profile_id, day, conversation_id, organization_id)
       SELECT $2, $3::date, id, $4 FROM unnest($1::uuid[]) AS stranger(id) ON CONFLICT DO NOTHING`,
      [ids, profileId, day, organizationId],
    );
  }

  /** Notes that a message was sent; receivers who are strangers are counted soon, together. */
  sent({ organizationId, profileId, to }: ChatOf, day: string): void {
    const key = `${day} ${conversationIdOf(profileId, to)}`;
    if (to.endsWith('@g.us') || this.#counted.has(key)) return;
    this.#counted.set(key, true);
    const group = `${profileId} ${day}`;
    const { chats } = this.#sent.get(group) ?? { chats: new Set<string>() };
    this.#sent.set(group, { organizationId, profileId, day, chats: chats.add(to) });
    this.#timer ??= setTimeout(() => void this.#countSent(), countMs).unref();
  }

  /** Counts a message to a number that is not on the network, in the background. */
  unknown({ organizationId, profileId }: Omit<ChatOf, 'to'>, day: string): void {
    const { log, sql } = this.#parts;
    const counted = sql.query(
      `INSERT INTO unknown_numbers AS u (profile_id, organization_id, day, count) VALUES ($1, $2, $3::date, 1)
       ON CONFLICT (profile_id) DO UPDATE SET day = excluded.day, count = CASE WHEN u.day = excluded.day THEN u.count ELSE 0 END + 1`,
      [profileId, organizationId, day],
    );
    counted.catch((error: unknown) => log.info('An unknown number was not counted', { profileId, reason: String(error) }));
  }

  /** Counts of a day for profiles that have any. */
  async countsOf(
    profileIds: readonly string[],
    day: string,
  ): Promise<(profileId: string) => { readonly strangers: number; readonly unknownNumbers: number }> {
    const rows = await this.#parts.sql.query<{ profile_id: string; strangers: number; unknown: number }>(
      `SELECT asked.profile_id,
          (SELECT count(*)::int FROM stranger_days s WHERE s.profile_id = asked.profile_id AND s.day = $2::date) AS strangers,
          coalesce((SELECT u.count FROM unknown_numbers u WHERE u.profile_id = asked.profile_id AND u.day = $2::date), 0) AS unknown
         FROM unnest($1::uuid[]) AS asked(profile_id)`,
      [profileIds, day],
    );
    const counts = new Map(rows.map((row) => [row.profile_id, row]));
    return (profileId) => {
      const { strangers = 0, unknown = 0 } = counts.get(profileId) ?? {};
      return { strangers, unknownNumbers: unknown };
    };
  }

  /** Deletes the counts of days before yesterday. */
  async forgetDays(): Promise<void> {
    const { clock, sql } = this.#parts;
    await sql.query('DELETE FROM stranger_days WHERE day < $1::date', [dayOf(clock.now() - 2 * 86_400_000)]);
  }

  async #countSent(): Promise<void> {
    const sent = [...this.#sent.values()];
    this.#sent.clear();
    this.#timer = undefined;
    for (const { day, chats, ...profile } of sent)
      try {
        const known = (to: string): boolean =>
          this.standingOf(conversationIdOf(profile.profileId, to)) !== undefined;
        await this.find(profile, [...chats].filter((to) => !known(to)));
        const ids = [...chats].map((to) => conversationIdOf(profile.profileId, to));
        await this.count(profile, day, ids.filter((id) => this.standingOf(id) === 'stranger'));
      } catch (error) {
        this.#parts.log.info('Strangers could not be counted', { profileId: profile.profileId, reason: String(error) });
      }
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
