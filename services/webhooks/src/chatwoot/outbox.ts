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

/** An item that waits to be posted. */
export interface Waiting {
  readonly id: string;
  readonly messageId: string | null;
  readonly tries: number;
  readonly createdAt: Date;
  readonly told: Told;
}

const columns =
  'conversation_id, organization_id, profile_id, chat, contact_id, remote_id, making, told, attempts, joined_into';
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
      columns,
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

  /** The first that wait in a chat. */
  async first(lane: Lane, limit: number): Promise<readonly Waiting[]> {
    const rows = await this.#sql.query<{
      id: string;
      message_id: string | null;
      tries: number;
      sealed: string;
      created_at: Date;
    }>(
      `SELECT id, message_id, tries, sealed, created_at FROM chatwoot_outbox WHERE conversation_id = $1 ORDER BY id LIMIT $2`,
      [lane.conversation_id, limit],
    );
    return rows.map(({ id, message_id, tries, sealed, created_at }) => ({
      id,
      messageId: message_id,
      tries,
      createdAt: created_at,
      told: openedFor(this.#encryption, lane.organization_id, sealed) as Told,
    }));
  }

  /** Counts a try of an item that is about to be posted. */
  async tries({ id }: Waiting): Promise<void> {
    await this.#sql.query('UPDATE chatwoot_outbox SET tries = tries + 1 WHERE id = $1', [id]);
  }

  async done({ id }: Waiting): Promise<void> {
    await this.#sql.query('DELETE FROM chatwoot_outbox WHERE id = $1', [id]);
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
    const [row] = await this.#sql.query<Lane>(`SELECT ${columns} FROM chatwoot_lanes WHERE conversation_id = $1`, [
      conversationId,
    ]);
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
