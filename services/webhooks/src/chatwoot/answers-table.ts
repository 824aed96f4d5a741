import { namedUuids } from '@messaging-gateway/contracts';
import { openedFor, sealedFor, type EncryptionKeys } from '@messaging-gateway/runtime';
import { Batcher, type Sql } from '@messaging-gateway/service';
import { partsOf, type AgentAnswer } from './agent-answer.ts';
import { laneColumns, type Lane } from './outbox.ts';

/** An answer of an agent, as Chatwoot has told it. */
export interface ToldAnswer {
  readonly organizationId: string;
  /** Chatwoot's ids of the conversation and of the message. */
  readonly remoteConversation: number;
  readonly remoteMessage: number;
  readonly answer: AgentAnswer;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An answer that waits in a chat of ours. */
export interface KeptAnswer {
  readonly organizationId: string;
  readonly conversationId: string;
  readonly remoteMessage: number;
}

type EndedAnswer = Omit<KeptAnswer, 'conversationId'>;

/** What waits in a chat to be handed over, in the order in which it was written. */
export interface WaitingAnswers {
  readonly lane: Lane;
  readonly answers: readonly { readonly remoteMessage: number; readonly answer: AgentAnswer }[];
  /** There may be more. */
  readonly isCut: boolean;
}

const idOf = namedUuids('7d3c0a5e-2a0b-5c61-9d70-4a1f0b8d6e15');
/** Id of the message that a part of an answer becomes, whoever hands it over and however often. */
export const partId = (organizationId: string, remoteMessage: number, place: number): string =>
  idOf(`${organizationId} ${remoteMessage} ${place}`);
export const noteId = (cause: string): string => idOf(`note ${cause}`);

const together = 200;
/** Of a chat, read at once. */
const atOnce = 100;

type Row = Lane & { readonly place: string; readonly remote_message_id: string; readonly sealed: string };

/** The table `chatwoot_answers`: what many chats have to be written is written with one statement, as is what they have to be read. */
export class AnswersTable {
  readonly #sql: Sql;
  readonly #encryption: EncryptionKeys;
  readonly #keeper: Batcher<ToldAnswer, KeptAnswer | undefined>;
  readonly #reader: Batcher<KeptAnswer, WaitingAnswers | undefined>;
  readonly #ender: Batcher<EndedAnswer, void>;

  constructor(sql: Sql, encryption: EncryptionKeys) {
    this.#sql = sql;
    this.#encryption = encryption;
    this.#keeper = new Batcher((told) => this.#write(told), together);
    this.#reader = new Batcher((last) => this.#read(last), together);
    this.#ender = new Batcher<EndedAnswer, void>(async (ended) => {
      await this.#end(ended);
      return ended.map(() => undefined);
    }, together);
  }

  /** Keeps one, in the order of the calls. @returns undefined: it is for no chat of ours, or known */
  keep(told: ToldAnswer): Promise<KeptAnswer | undefined> {
    return this.#keeper.add(told);
  }

  /** What waits in a chat up to one, that one too. @returns undefined: nothing */
  waiting(last: KeptAnswer): Promise<WaitingAnswers | undefined> {
    return this.#reader.add(last);
  }

  /** They have been handed over: what is left of them is that they are known. */
  async done(organizationId: string, remoteMessages: readonly number[]): Promise<void> {
    await Promise.all(remoteMessages.map((remoteMessage) => this.#ender.add({ organizationId, remoteMessage })));
  }

  /** The last of each chat that was taken in before then; chats in any order. */
  async left(before: number, limit: number): Promise<readonly KeptAnswer[]> {
    const rows = await this.#sql.query<{ conversation_id: string; organization_id: string; last: string }>(
      `SELECT conversation_id, organization_id, max(remote_message_id) AS last FROM chatwoot_answers
        WHERE sealed IS NOT NULL AND created_at <= $1 GROUP BY 1, 2 ORDER BY random() LIMIT $2`,
      [new Date(before), limit],
    );
    return rows.map(({ conversation_id, organization_id, last }) => ({
      organizationId: organization_id,
      conversationId: conversation_id,
      remoteMessage: Number(last),
    }));
  }

  /** With the ids of the messages that they become: news of those are not posted. */
  async #write(told: readonly ToldAnswer[]): Promise<readonly (KeptAnswer | undefined)[]> {
    const parts = told.flatMap(({ organizationId, remoteMessage, answer }, at) =>
      partsOf(answer).map((_, place) => ({ at: at + 1, id: partId(organizationId, remoteMessage, place) })),
    );
    const rows = await this.#sql.query<{ place: string; conversation_id: string }>(
      // Of an organization that is being erased nothing is kept any more.
      `WITH bridges AS (
         SELECT organization_id FROM chatwoot_bridges WHERE organization_id = ANY ($1::uuid[]) ORDER BY organization_id FOR KEY SHARE
       ), told AS (
         SELECT t.*, lane.conversation_id FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[])
             WITH ORDINALITY AS t(organization_id, remote_id, remote_message_id, sealed, at, place)
           JOIN bridges USING (organization_id)
           CROSS JOIN LATERAL (
             SELECT coalesce(l.joined_into, l.conversation_id) AS conversation_id FROM chatwoot_lanes l
              WHERE l.organization_id = t.organization_id AND l.remote_id = t.remote_id LIMIT 1) lane
       ), kept AS (
         INSERT INTO chatwoot_answers (organization_id, remote_message_id, conversation_id, sealed, created_at)
         SELECT DISTINCT ON (organization_id, remote_message_id) organization_id, remote_message_id, conversation_id, sealed, at
           FROM told ORDER BY organization_id, remote_message_id, place
         ON CONFLICT (organization_id, remote_message_id) DO NOTHING
         RETURNING organization_id, remote_message_id, conversation_id
       ), known AS (
         INSERT INTO chatwoot_messages (organization_id, message_id, remote_message_id, remote_id, by_agent, created_at)
         SELECT DISTINCT ON (part.id) told.organization_id, part.id, told.remote_message_id, told.remote_id, true, told.at
           FROM unnest($6::bigint[], $7::uuid[]) AS part(place, id) JOIN told USING (place)
           JOIN kept USING (organization_id, remote_message_id) ORDER BY part.id
         ON CONFLICT (organization_id, message_id) DO NOTHING
       )
       SELECT told.place, kept.conversation_id FROM kept JOIN told USING (organization_id, remote_message_id)`,
      [
        told.map(({ organizationId }) => organizationId),
        told.map(({ remoteConversation }) => remoteConversation),
        told.map(({ remoteMessage }) => remoteMessage),
        told.map(({ organizationId, answer }) => sealedFor(this.#encryption, organizationId, answer)),
        told.map(({ now }) => new Date(now)),
        parts.map(({ at }) => at),
        parts.map(({ id }) => id),
      ],
    );
    const byPlace = new Map(rows.map(({ place, conversation_id }) => [Number(place), conversation_id]));
    return told.map(({ organizationId, remoteMessage }, at) => {
      const conversationId = byPlace.get(at + 1);
      return conversationId === undefined ? undefined : { organizationId, conversationId, remoteMessage };
    });
  }

  async #read(asked: readonly KeptAnswer[]): Promise<readonly (WaitingAnswers | undefined)[]> {
    const rows = await this.#sql.query<Row>(
      `SELECT asked.place, ${laneColumns('l')}, waiting.remote_message_id, waiting.sealed
         FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS asked(conversation_id, last, place)
         JOIN chatwoot_lanes l USING (conversation_id)
         CROSS JOIN LATERAL (
           SELECT remote_message_id, sealed FROM chatwoot_answers a
            WHERE a.conversation_id = l.conversation_id AND a.sealed IS NOT NULL AND a.remote_message_id <= asked.last
            ORDER BY remote_message_id LIMIT ${atOnce}) waiting
        ORDER BY asked.place, waiting.remote_message_id`,
      [asked.map(({ conversationId }) => conversationId), asked.map(({ remoteMessage }) => remoteMessage)],
    );
    const byPlace = Map.groupBy(rows, ({ place }) => Number(place));
    return asked.map((_, at) => {
      const those = byPlace.get(at + 1) ?? [];
      const [lane] = those;
      if (lane === undefined) return undefined;
      const answers = those.map(({ remote_message_id, sealed }) => ({
        remoteMessage: Number(remote_message_id),
        answer: openedFor(this.#encryption, lane.organization_id, sealed) as AgentAnswer,
      }));
      return { lane, answers, isCut: those.length === atOnce };
    });
  }

  async #end(ended: readonly EndedAnswer[]): Promise<void> {
    await this.#sql.query(
      `UPDATE chatwoot_answers held SET sealed = NULL FROM unnest($1::uuid[], $2::bigint[]) AS ended(organization_id, remote_message_id)
        WHERE held.organization_id = ended.organization_id AND held.remote_message_id = ended.remote_message_id`,
      [ended.map(({ organizationId }) => organizationId), ended.map(({ remoteMessage }) => remoteMessage)],
    );
  }
}
