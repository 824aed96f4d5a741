import { AcceptMessage } from '@messaging-gateway/contracts';
import { isRefusal } from '@messaging-gateway/messaging';
import { Slots } from '@messaging-gateway/runtime';
import { every, type Job, type Running, type ServiceTools } from '@messaging-gateway/service';
import { partsOf, type AgentAnswer } from './agent-answer.ts';
import { AnswersTable, noteId, partId, type KeptAnswer } from './answers-table.ts';
import { whenGathered } from './gathering.ts';
import type { Lane, Outbox } from './outbox.ts';

type Tools = Pick<ServiceTools<unknown>, 'ask' | 'clock' | 'encryption' | 'log' | 'sql'>;

/** How often a message is tried to be handed to the network. */
const attempts = 3;
/** What lies for so long was left by a process that is gone, or could not be handed over, milliseconds. */
const leftMs = 10_000;
/** Chats at the same time, of a process and of one organization. */
const places = 64;
const placesOfOne = 8;
const leftTogether = 200;

/** What Chatwoot has told of a chat, while it may still tell what was written before. */
interface Gathering {
  /** Known as soon as it is kept. */
  readonly kept: Promise<KeptAnswer | undefined>[];
  readonly callOff: () => void;
}

/**
 * Answers of agents: kept before Chatwoot is told that they were taken, and handed to the lane of the profile once, whatever waits to
 * be posted. Two processes that hand over the same chat do it in the same order, and repeats change nothing.
 */
export class Answers implements Running {
  readonly #tools: Tools;
  readonly #outbox: Outbox;
  readonly #slots = new Slots(places, placesOfOne);
  readonly #table: AnswersTable;
  /** By organization and conversation of Chatwoot. */
  readonly #gathering = new Map<string, Gathering>();
  readonly #inHand = new Map<string, Promise<void>>();
  #isStopping = false;

  constructor(tools: Tools, outbox: Outbox) {
    this.#tools = tools;
    this.#outbox = outbox;
    this.#table = new AnswersTable(tools.sql, tools.encryption);
  }

  /** Takes up what others have left. */
  get job(): Job {
    return every('1s', 'answers of agents', async () => {
      const left = await this.#table.left(this.#tools.clock.now() - leftMs, leftTogether);
      for (const one of left) if (!this.#inHand.has(one.conversationId)) this.#begin(one);
    });
  }

  async start(): Promise<void> {
    this.#isStopping = false;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const { callOff } of this.#gathering.values()) callOff();
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
    const now = this.#tools.clock.now();
    const kept = this.#table.keep({ organizationId, remoteConversation, remoteMessage, answer, now });
    this.#gather(organizationId, remoteConversation, kept);
    await kept;
  }

  /** Has a chat wait until what may have been told in another order is there, and kept: counted from when it was told, not from when it was kept. */
  #gather(organizationId: string, remoteConversation: number, kept: Promise<KeptAnswer | undefined>): void {
    if (this.#isStopping) return;
    const chat = `${organizationId} ${remoteConversation}`;
    const known = this.#gathering.get(chat);
    if (known !== undefined) {
      known.kept.push(kept);
      return;
    }
    const all = [kept];
    const callOff = whenGathered(this.#tools.clock, () => {
      this.#gathering.delete(chat);
      void this.#beginAll(all);
    });
    this.#gathering.set(chat, { kept: all, callOff });
  }

  async #beginAll(given: readonly Promise<KeptAnswer | undefined>[]): Promise<void> {
    // One that could not be kept is told again by Chatwoot, which has heard of the fault.
    const outcomes = await Promise.allSettled(given);
    const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? (outcome.value ?? []) : []));
    for (const those of Map.groupBy(kept, ({ conversationId }) => conversationId).values()) {
      const last = those.toSorted((one, other) => other.remoteMessage - one.remoteMessage)[0];
      if (last !== undefined && !this.#isStopping) this.#begin(last);
    }
  }

  /** Hands over what waits in a chat, up to one: what was written after that has its own time in which others may come before it. */
  #begin(last: KeptAnswer): void {
    const { conversationId, organizationId } = last;
    const before = this.#inHand.get(conversationId) ?? Promise.resolve();
    const work = before
      .then(() => this.#slots.run(() => this.#send(last), { of: organizationId }))
      .catch((error: unknown) =>
        this.#tools.log.warn('Answers of agents were not handed over', { conversationId, error: String(error) }),
      )
      .finally(() => {
        if (this.#inHand.get(conversationId) === work) this.#inHand.delete(conversationId);
      });
    this.#inHand.set(conversationId, work);
  }

  /** In the order in which agents have written. */
  async #send(last: KeptAnswer): Promise<void> {
    for (let isCut = true; isCut && !this.#isStopping;) {
      const waiting = await this.#table.waiting(last);
      if (waiting === undefined) return;
      const done: number[] = [];
      try {
        for (const { remoteMessage, answer } of waiting.answers) {
          if (this.#isStopping) return;
          await this.#one(waiting.lane, remoteMessage, answer);
          done.push(remoteMessage);
        }
      } finally {
        await this.#table.done(waiting.lane.organization_id, done);
      }
      ({ isCut } = waiting);
    }
  }

  async #one(lane: Lane, remote: number, answer: AgentAnswer): Promise<void> {
    const { ask } = this.#tools;
    const quotedMessageId = answer.inReplyTo === undefined ? undefined : await this.#ours(lane, answer.inReplyTo);
    for (const [place, { type, content }] of partsOf(answer).entries()) {
      const messageId = partId(lane.organization_id, remote, place);
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
      eventId: noteId(cause),
      organizationId,
      profileId,
      conversationId,
      chat,
      messageId: undefined,
      told: { kind: 'note', data: { text: `⚠️ This message was not sent: ${reason}`, answersRemote: remote } },
      now: this.#tools.clock.now(),
    });
  }

  async #ours({ organization_id }: Lane, remote: number): Promise<string | undefined> {
    const [row] = await this.#tools.sql.query<{ message_id: string }>(
      'SELECT message_id FROM chatwoot_messages WHERE organization_id = $1 AND remote_message_id = $2 ORDER BY message_id LIMIT 1',
      [organization_id, remote],
    );
    return row?.message_id;
  }
}
