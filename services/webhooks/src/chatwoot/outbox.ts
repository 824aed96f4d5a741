import type { EncryptionKeys } from '@messaging-gateway/runtime';
import { openedFor, sealedFor } from '@messaging-gateway/runtime';
import { Batcher, DueRows, type Sql } from '@messaging-gateway/service';
import type { Told } from './told.ts';

/** News of a chat. */
export interface Item {
  readonly eventId: string;
  readonly organizationId: string;
  readonly profileId: string;
  readonly conversationId: string;
  /** JID; empty: what is told does not say it. */
  readonly chat: string;
  readonly messageId: string | undefined;
  readonly told: Told;
  readonly now: number;
}

/** A row of `chatwoot_lanes`. */
export interface Lane {
  readonly conversation_id: string;
  readonly organization_id: string;
  readonly profile_id: string;
  readonly chat: string;
  readonly contact_id: string | null;
  readonly remote_id: string | null;
  readonly making: boolean;
  readonly told: string;
  readonly attempts: number;
  /** Turned out to be the same chat: what comes for this one is for that one. */
  readonly joined_into: string | null;
}

/** Chatwoot's message for a message of ours. */
export interface Known {
  readonly remoteId: number;
  readonly conversation: number;
  readonly byAgent: boolean;
}

/** An item that waits to be posted. */
export interface Waiting {
  readonly id: string;
  readonly messageId: string | null;
  /** Its message in Chatwoot, if there is one. */
  readonly known: Known | undefined;
  /** How often it was begun before. */
  readonly tries: number;
  readonly createdAt: Date;
  readonly told: Told;
}

const columns = [
  'conversation_id',
  'organization_id',
  'profile_id',
  'chat',
  'contact_id',
  'remote_id',
  'making',
  'told',
  'attempts',
  'joined_into',
];
/** Columns of a `Lane`. @param alias of `chatwoot_lanes` */
export const laneColumns = (alias: string): string => columns.map((column) => `${alias}.${column}`).join(', ');
/** An item that is done with. */
export interface Ended {
  readonly waiting: Waiting;
  /** The message in Chatwoot that was made of its message. */
  readonly made?: { readonly remoteId: number; readonly conversation: number; readonly now: number } | undefined;
}

interface FirstRow {
  readonly id: string | null;
  readonly message_id: string | null;
  readonly tries: number;
  readonly sealed: string;
  readonly created_at: Date;
  readonly remote_message_id: string | null;
  readonly known_in: string;
  readonly by_agent: boolean;
}

/** Parameters of a statement that ends an item: its id; what is noted of its message. */
const endingOf = (waiting: Waiting | undefined, made: Ended['made']): readonly unknown[] =>
  made === undefined
    ? [waiting?.id ?? 0, null, null, null, null]
    : [waiting?.id ?? 0, waiting?.messageId, made.remoteId, made.conversation, new Date(made.now)];

const knownIn = ({ remote_message_id, known_in, by_agent }: FirstRow): Known | undefined =>
  remote_message_id === null
    ? undefined
    : { remoteId: Number(remote_message_id), conversation: Number(known_in), byAgent: by_agent };

const together = 500;

/** The lines of chats: in their order, over restarts and replicas. */
export class Outbox extends DueRows<Lane> {
  readonly #sql: Sql;
  readonly #encryption: EncryptionKeys;
  readonly #writer: Batcher<Item, void>;

  constructor(sql: Sql, encryption: EncryptionKeys, wake: () => void) {
    super(sql, {
      table: 'chatwoot_lanes',
      key: 'conversation_id',
      due: 'next_look_at',
      owner: 'organization_id',
      columns: columns.join(', '),
    });
    this.#sql = sql;
    this.#encryption = encryption;
    this.#writer = new Batcher<Item, void>(async (items) => {
      await this.#write(items);
      wake();
      return items.map(() => undefined);
    }, together);
  }

  /** Puts it at the end of the line of its chat; the same event once. */
  put(item: Item): Promise<void> {
    return this.#writer.add(item);
  }

  /**
   * The first that waits in a chat, as the chat stands now; its try is counted.
   *
   * @param ended is taken out of the line with the same statement, and what it has become is noted
   * @returns undefined: there is no such chat any more
   */
  async first(
    conversationId: string,
    ended?: Ended,
  ): Promise<{ lane: Lane; waiting: Waiting | undefined } | undefined> {
    const { waiting: before, made } = ended ?? {};
    const [row] = await this.#sql.query<Lane & FirstRow>(
      `WITH ended AS (
         DELETE FROM chatwoot_outbox WHERE id = $2
       ), made AS (
         INSERT INTO chatwoot_messages (organization_id, message_id, remote_message_id, remote_id, by_agent, created_at)
         SELECT organization_id, $3::uuid, $4::bigint, $5::bigint, false, $6::timestamptz FROM chatwoot_lanes
          WHERE conversation_id = $1 AND $3::uuid IS NOT NULL FOR KEY SHARE
         ON CONFLICT (organization_id, message_id) DO NOTHING
       ), first AS (
         UPDATE chatwoot_outbox SET tries = tries + 1
          WHERE id = (SELECT id FROM chatwoot_outbox WHERE conversation_id = $1 AND id <> $2 ORDER BY id LIMIT 1)
         RETURNING id, message_id, tries - 1 AS tries, sealed, created_at
       )
       SELECT ${laneColumns('l')}, first.id, first.message_id, first.tries, first.sealed, first.created_at,
              known.remote_message_id, known.remote_id AS known_in, known.by_agent
         FROM chatwoot_lanes l LEFT JOIN first ON true
         LEFT JOIN chatwoot_messages known ON known.organization_id = l.organization_id AND known.message_id = first.message_id
        WHERE l.conversation_id = $1`,
      [conversationId, ...endingOf(before, made)],
    );
    if (row === undefined) return undefined;
    const { id, message_id: messageId, tries, sealed, created_at: createdAt } = row;
    if (id === null) return { lane: row, waiting: undefined };
    const told = openedFor(this.#encryption, row.organization_id, sealed) as Told;
    // What the same statement has noted it does not see.
    const isOfBefore = made !== undefined && messageId !== null && messageId === before?.messageId;
    const known = isOfBefore ? { ...made, byAgent: false } : knownIn(row);
    return { lane: row, waiting: { id, messageId, known, tries, createdAt, told } };
  }

  /** Takes it out of the line, and notes what it has become. */
  async end({ conversation_id }: Lane, { waiting, made }: Ended): Promise<void> {
    await this.#sql.query(
      `WITH ended AS (
         DELETE FROM chatwoot_outbox WHERE id = $2
       )
       INSERT INTO chatwoot_messages (organization_id, message_id, remote_message_id, remote_id, by_agent, created_at)
       SELECT organization_id, $3::uuid, $4::bigint, $5::bigint, false, $6::timestamptz FROM chatwoot_lanes
        WHERE conversation_id = $1 AND $3::uuid IS NOT NULL FOR KEY SHARE
       ON CONFLICT (organization_id, message_id) DO NOTHING`,
      [conversation_id, ...endingOf(waiting, made)],
    );
  }

  /** Takes back a try that did not come to pass. */
  async untried({ id }: Waiting): Promise<void> {
    await this.#sql.query('UPDATE chatwoot_outbox SET tries = tries - 1 WHERE id = $1 AND tries > 0', [id]);
  }

  /** Keeps others from taking a chat up until a time. */
  async hold({ conversation_id }: Lane, until: number): Promise<void> {
    await this.#sql.query(
      'UPDATE chatwoot_lanes SET next_look_at = $2 WHERE conversation_id = $1 AND next_look_at IS NOT NULL',
      [conversation_id, new Date(until)],
    );
  }

  /** Sets the next look at a chat; after a failure the attempts count one more. */
  async later({ conversation_id }: Lane, at: number, attempts: number): Promise<void> {
    await this.#sql.query('UPDATE chatwoot_lanes SET next_look_at = $2, attempts = $3 WHERE conversation_id = $1', [
      conversation_id,
      new Date(at),
      attempts,
    ]);
  }

  /** Lets a chat rest of which nothing waits, unless something was put into the line since it was looked at. @returns whether it rests */
  async rest({ conversation_id }: Lane, told: string): Promise<boolean> {
    const rows = await this.#sql.query(
      'UPDATE chatwoot_lanes SET next_look_at = NULL, attempts = 0 WHERE conversation_id = $1 AND told = $2 RETURNING 1',
      [conversation_id, told],
    );
    return rows.length > 0;
  }

  async lane(conversationId: string): Promise<Lane | undefined> {
    const [row] = await this.#sql.query<Lane>(
      `SELECT ${laneColumns('l')} FROM chatwoot_lanes l WHERE conversation_id = $1`,
      [conversationId],
    );
    return row;
  }

  /** Writes items into the lines of their chats, in order. */
  async #write(items: readonly Item[]): Promise<void> {
    await this.#sql.query(
      // Of an organization that is being erased nothing is put there any more.
      `WITH bridges AS (
         SELECT organization_id FROM chatwoot_bridges WHERE organization_id = ANY ($2::uuid[]) FOR KEY SHARE
       ), given AS (
         SELECT g.event_id, g.organization_id, g.profile_id, coalesce(l.joined_into, g.conversation_id) AS conversation_id, g.chat, g.message_id,
                g.kind, g.sealed, g.at, g.place
           FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::text[], $9::timestamptz[])
             WITH ORDINALITY AS g(event_id, organization_id, profile_id, conversation_id, chat, message_id, kind, sealed, at, place)
           JOIN bridges USING (organization_id)
           LEFT JOIN chatwoot_lanes l ON l.conversation_id = g.conversation_id
          -- What agents have written is there.
          WHERE NOT (g.kind = 'sent' AND EXISTS (
            SELECT FROM chatwoot_messages m WHERE m.organization_id = g.organization_id AND m.message_id = g.message_id AND m.by_agent))
       ), lanes AS (
         INSERT INTO chatwoot_lanes AS held (conversation_id, organization_id, profile_id, chat, told, next_look_at)
         SELECT conversation_id, (array_agg(organization_id))[1], (array_agg(profile_id))[1], max(chat), count(*), min(at)
           FROM given GROUP BY conversation_id ORDER BY conversation_id
         ON CONFLICT (conversation_id) DO UPDATE SET told = held.told + excluded.told,
           chat = CASE held.chat WHEN '' THEN excluded.chat ELSE held.chat END,
           next_look_at = coalesce(held.next_look_at, excluded.next_look_at)
       )
       INSERT INTO chatwoot_outbox (event_id, organization_id, conversation_id, message_id, kind, sealed, created_at)
       SELECT event_id, organization_id, conversation_id, message_id, kind, sealed, at FROM given ORDER BY place
       ON CONFLICT (event_id) DO NOTHING`,
      [
        items.map(({ eventId }) => eventId),
        items.map(({ organizationId }) => organizationId),
        items.map(({ profileId }) => profileId),
        items.map(({ conversationId }) => conversationId),
        items.map(({ chat }) => chat),
        items.map(({ messageId }) => messageId ?? null),
        items.map(({ told }) => told.kind),
        items.map(({ organizationId, told }) => sealedFor(this.#encryption, organizationId, told)),
        items.map(({ now }) => new Date(now)),
      ],
    );
  }
}
