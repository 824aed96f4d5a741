import { AcceptMessage, namedUuids } from '@messaging-gateway/contracts';
import { isRefusal } from '@messaging-gateway/messaging';
import { openedFor, sealedFor, Slots } from '@messaging-gateway/runtime';
import { every, type Job, type Running, type ServiceTools } from '@messaging-gateway/service';
import { partsOf, type AgentAnswer } from './agent-answer.ts';
import type { Lane, Outbox } from './outbox.ts';

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'encryption' | 'log' | 'sql'>;

const idOf = namedUuids('7d3c0a5e-2a0b-5c61-9d70-4a1f0b8d6e15');
/** How often a message is tried to be handed to the network. */
const attempts = 3;
/** Chatwoot tells in any order what is written within so long: it goes out in the order in which it was written, milliseconds. */
const gatheringMs = 250;
/** What lies for so long was left by a process that is gone, or could not be handed over, milliseconds. */
const leftMs = 5_000;
/** Chats at the same time, of a process and of one organization. */
const places = 64;
const placesOfOne = 8;
const leftTogether = 200;

/**
 * Answers of agents: kept before Chatwoot is told that they were taken, and handed to the lane of the profile once, whatever waits to
 * be posted. Two processes that hand over the same chat do it in the same order, and repeats change nothing.
 */
export class Answers implements Running {
  readonly #tools: Tools;
  readonly #outbox: Outbox;
  readonly #slots = new Slots(places, placesOfOne);
  /** Chats of which something is gathered, and how that is called off. */
  readonly #gathering = new Map<string, () => void>();
  readonly #inHand = new Map<string, Promise<void>>();
  #isStopping = false;

  constructor(tools: Tools, outbox: Outbox) {
    this.#tools = tools;
    this.#outbox = outbox;
  }

  /** Takes up what others have left. */
  get job(): Job {
    return every('1s', 'answers of agents', async () => {
      const { clock, sql } = this.#tools;
      const left = await sql.query<{ conversation_id: string; organization_id: string }>(
        `SELECT conversation_id, organization_id FROM chatwoot_answers WHERE sealed IS NOT NULL AND created_at <= $1
          GROUP BY 1, 2 ORDER BY random() LIMIT ${leftTogether}`,
        [new Date(clock.now() - leftMs)],
      );
      for (const { conversation_id, organization_id } of left)
        if (!this.#inHand.has(conversation_id)) this.#begin(conversation_id, organization_id);
    });
  }

  async start(): Promise<void> {
    this.#isStopping = false;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const callOff of this.#gathering.values()) callOff();
    this.#gathering.clear();
    await Promise.all(this.#inHand.values());
  }

  /** Takes one in; the same again, whenever it comes, changes nothing. One that is for no chat of ours is dropped. */
  async take(
    organizationId: string,
    remoteConversation: number,
    remoteMessage: number,
    answer: AgentAnswer,
  ): Promise<void> {
    const { clock, encryption, sql } = this.#tools;
    const [row] = await sql.query<{ conversation_id: string; waits: boolean }>(
      `INSERT INTO chatwoot_answers (organization_id, remote_message_id, conversation_id, sealed, created_at)
       SELECT organization_id, $3, coalesce(joined_into, conversation_id), $4, $5 FROM chatwoot_lanes
        WHERE organization_id = $1 AND remote_id = $2 LIMIT 1 FOR KEY SHARE
       ON CONFLICT (organization_id, remote_message_id) DO UPDATE SET created_at = chatwoot_answers.created_at
       RETURNING conversation_id, sealed IS NOT NULL AS waits`,
      [
        organizationId,
        remoteConversation,
        remoteMessage,
        sealedFor(encryption, organizationId, answer),
        new Date(clock.now()),
      ],
    );
    if (row?.waits === true) this.#gather(row.conversation_id, organizationId);
  }

  #gather(conversationId: string, organizationId: string): void {
    if (this.#gathering.has(conversationId) || this.#isStopping) return;
    const { clock } = this.#tools;
    const callOff = clock.at(clock.now() + gatheringMs, () => {
      this.#gathering.delete(conversationId);
      this.#begin(conversationId, organizationId);
    });
    this.#gathering.set(conversationId, callOff);
  }

  #begin(conversationId: string, organizationId: string): void {
    const before = this.#inHand.get(conversationId) ?? Promise.resolve();
    const work = before
      .then(() => this.#slots.run(() => this.#send(conversationId), { of: organizationId }))
      .catch((error: unknown) =>
        this.#tools.log.warn('Answers of agents were not handed over', { conversationId, error: String(error) }),
      )
      .finally(() => {
        if (this.#inHand.get(conversationId) === work) this.#inHand.delete(conversationId);
      });
    this.#inHand.set(conversationId, work);
  }

  /** Hands over what waits in a chat, in the order of Chatwoot. */
  async #send(conversationId: string): Promise<void> {
    const { encryption, sql } = this.#tools;
    const lane = await this.#outbox.lane(conversationId);
    if (lane === undefined) return;
    const rows = await sql.query<{ remote_message_id: string; sealed: string }>(
      `SELECT remote_message_id, sealed FROM chatwoot_answers WHERE conversation_id = $1 AND sealed IS NOT NULL
        ORDER BY remote_message_id LIMIT 100`,
      [conversationId],
    );
    for (const { remote_message_id, sealed } of rows) {
      if (this.#isStopping) return;
      const answer = openedFor(encryption, lane.organization_id, sealed) as AgentAnswer;
      await this.#one(lane, Number(remote_message_id), answer);
      await sql.query(
        'UPDATE chatwoot_answers SET sealed = NULL WHERE organization_id = $1 AND remote_message_id = $2',
        [lane.organization_id, remote_message_id],
      );
    }
  }

  async #one(lane: Lane, remote: number, answer: AgentAnswer): Promise<void> {
    const { ask } = this.#tools;
    const quotedMessageId = answer.inReplyTo === undefined ? undefined : await this.#ours(lane, answer.inReplyTo);
    for (const [place, { type, content }] of partsOf(answer).entries()) {
      const messageId = idOf(`${lane.organization_id} ${remote} ${place}`);
      await this.#remember(lane, messageId, remote);
      try {
        await ask(AcceptMessage, {
          messageId,
          organizationId: lane.organization_id,
          profileId: lane.profile_id,
          to: lane.chat,
          type,
          content: {
            ...content,
            ...(place === 0 && type === 'text' && quotedMessageId !== undefined && { quotedMessageId }),
          },
          origin: 'api',
          actor: 'service:webhooks',
          attempts,
        });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        await this.note(lane, messageId, remote, error.message);
        return;
      }
    }
  }

  /** Tells agents that something of theirs has not gone out. */
  async note(lane: Lane, cause: string, remote: number, reason: string): Promise<void> {
    const { conversation_id: conversationId, organization_id: organizationId, profile_id: profileId, chat } = lane;
    await this.#outbox.put({
      eventId: idOf(`note ${cause}`),
      organizationId,
      profileId,
      conversationId,
      chat,
      messageId: undefined,
      told: { kind: 'note', data: { text: `⚠️ This message was not sent: ${reason}`, answersRemote: remote } },
      now: this.#tools.clock.now(),
    });
  }

  /** Notes that a message is an agent's: news of it are not posted. */
  async #remember({ conversation_id }: Lane, messageId: string, remote: number): Promise<void> {
    await this.#tools.sql.query(
      `INSERT INTO chatwoot_messages (organization_id, message_id, remote_message_id, remote_id, by_agent, created_at)
       SELECT organization_id, $2, $3, remote_id, true, $4 FROM chatwoot_lanes WHERE conversation_id = $1 FOR KEY SHARE
       ON CONFLICT (organization_id, message_id) DO NOTHING`,
      [conversation_id, messageId, remote, new Date(this.#tools.clock.now())],
    );
  }

  async #ours({ organization_id }: Lane, remote: number): Promise<string | undefined> {
    const [row] = await this.#tools.sql.query<{ message_id: string }>(
      'SELECT message_id FROM chatwoot_messages WHERE organization_id = $1 AND remote_message_id = $2 ORDER BY message_id LIMIT 1',
      [organization_id, remote],
    );
    return row?.message_id;
  }
}
