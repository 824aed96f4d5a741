import type { AnswerOf, DeliverMessage, OutgoingContentOf, SettleMessage } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { inSpan, noSpans, type Spans } from '@messaging-gateway/tracing';
import type { AccountHealth } from '../health/account-health.ts';
import { type EngineSession, notConnected, nothingLeft, type SendOutcome } from '../engine/engine.ts';
import type { Change, SessionData } from '../session-data/session-data-store.ts';
import { dueChange } from '../session-data/retention.ts';

export interface SendRequest {
  readonly networkMessageId: string;
  readonly laneEpoch: number;
  readonly attempt?: number | undefined;
  readonly to: string;
  readonly content: OutgoingContentOf;
  /** Somebody has written to the profile in this chat. */
  readonly isKnownChat?: boolean | undefined;
  /** The acknowledgement is on the disk before the answer, where that is this machine's. */
  readonly keep?: boolean | undefined;
}

export type SendAnswer = AnswerOf<typeof DeliverMessage>;
export type Settled = AnswerOf<typeof SettleMessage>;

export interface SenderParts {
  readonly data: SessionData;
  readonly session: Pick<EngineSession, 'send'>;
  readonly isConnected: () => boolean;
  readonly clock: Clock;
  readonly health: Pick<AccountHealth, 'refused' | 'restriction'>;
  readonly onSent?: (outcome: SendOutcome['outcome'] | 'nothing-left') => void;
  readonly spans?: Spans;
}

interface Attempt {
  readonly deadline: number;
  readonly attempt: number;
  readonly before: SentRecord | undefined;
  readonly traceparent: string | undefined;
}

/** Kept back from the deadline, so that the answer reaches the one who asked. */
const answerMs = 500;
/** How long an outcome may wait for another commit to go with. */
const recordMs = 100;

/**
 * Hands a profile's messages to its engine. One run per network id at a time, which repeats join; what the network
 * acknowledged is answered from the record, also when that came late; what may have left is sent again under the same id,
 * of which the network shows one. Whoever only wants to know asks (`settle`): nothing is sent for it.
 */
export class Sender {
  readonly #parts: SenderParts;
  readonly #running = new Map<string, Promise<SendAnswer>>();
  readonly #fence: LaneFence;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#fence = new LaneFence(parts.data);
  }

  /** @throws Refused with `details.nothingLeft`: nothing has left, and nothing will */
  async send(request: SendRequest, deadline: number, traceparent?: string): Promise<SendAnswer> {
    const { networkMessageId } = request;
    await this.#fence.pass(request.laneEpoch);
    const running = this.#running.get(networkMessageId);
    if (running !== undefined) return running;
    const run = this.#sendOnce(request, deadline, traceparent).finally(() => this.#running.delete(networkMessageId));
    this.#running.set(networkMessageId, run);
    return run;
  }

  /** @throws Refused CONFLICT for an older epoch of the lane */
  async settle(networkMessageId: string, laneEpoch: number): Promise<Settled> {
    await this.#fence.pass(laneEpoch);
    await this.#fence.shut();
    await this.#running.get(networkMessageId)?.catch(() => undefined);
    const record = await readRecord(this.#parts.data, networkMessageId);
    if (record === undefined) return { state: 'never-seen' };
    const { state, at, code, reason } = record;
    return {
      state,
      handedOverAt: new Date(at).toISOString(),
      ...(code !== undefined && { code }),
      ...(reason !== undefined && { reason }),
    };
  }

  async #sendOnce(request: SendRequest, deadline: number, traceparent: string | undefined): Promise<SendAnswer> {
    const { data, clock, health, isConnected } = this.#parts;
    const attempt = request.attempt ?? 1;
    const before = await readRecord(data, request.networkMessageId);
    if (before?.state === 'acknowledged' || (before !== undefined && isFinal(before, attempt))) return answerOf(before);
    // It may have left already: "not connected" would say that it has not.
    if (!isConnected() && before?.state === 'handed-over') return answerOf(before);
    if (!isConnected()) throw notConnected();
    if (health.restriction !== undefined && isToStranger(request))
      // It may have left already: a refusal would say that it has not.
      return before?.state === 'handed-over' ? answerOf(before) : restrictedAt(clock.now(), health.restriction);
    if (clock.now() >= deadline - answerMs)
      throw new Refused('SERVICE_UNAVAILABLE', 'The message came too late to be sent.', nothingLeft);
    return this.#throughEngine(request, { deadline: deadline - answerMs, attempt, before, traceparent });
  }

  async #throughEngine(request: SendRequest, { deadline, attempt, before, traceparent }: Attempt): Promise<SendAnswer> {
    const { data, session, clock, health, onSent, spans = noSpans } = this.#parts;
    const { networkMessageId, to, content } = request;
    const handedOver: SentRecord = { state: 'handed-over', at: clock.now(), attempt };
    const record = (encoded: Uint8Array) => firstRecord(networkMessageId, handedOver, encoded);
    try {
      // Media are fetched and uploaded once, and a poll keeps its secret.
      const [encoded] = before?.state === 'handed-over' ? await data.read('content', [networkMessageId]) : [];
      const outcome = await inSpan(
        spans,
        'send to network',
        { kind: 'client', parent: traceparent },
        async (_, span) => {
          const late = (answer: SendOutcome): void => {
            void this.#keep(request, recordAfter(handedOver, answer));
            if (isRestricted(answer)) void health.refused();
          };
          const answer = await session.send({ networkMessageId, to, content, deadline, encoded, record, late });
          span?.note({ 'message.type': content.type, attempt, outcome: answer.outcome });
          return answer;
        },
      );
      onSent?.(outcome.outcome);
      const after = recordAfter(handedOver, outcome);
      const restriction = isRestricted(outcome) ? await health.refused() : undefined;
      const kept = await this.#keep(request, after);
      return { ...answerOf(after), ...(kept && { kept }), ...(restriction && { restriction }) };
    } catch (error) {
      onSent?.('nothing-left');
      if (before?.state === 'handed-over') return answerOf(before);
      if ((await readRecord(data, networkMessageId)) !== undefined)
        await data.commit([{ table: 'sent', id: networkMessageId, value: undefined }]).catch(() => undefined);
      throw error;
    }
  }

  /** @returns whether the outcome is on the disk. Lost with a crash, the message is sent again, and the network drops the repeat. */
  async #keep({ networkMessageId, keep }: SendRequest, after: SentRecord): Promise<boolean> {
    const { data } = this.#parts;
    if (after.state === 'handed-over') return false;
    const isAwaited = keep === true && data.isLocal && after.state === 'acknowledged';
    const kept = data.commit(outcomeChanges(networkMessageId, after), isAwaited ? 0 : recordMs).then(
      () => true,
      () => false,
    );
    return isAwaited ? kept : false;
  }
}

const restrictedCode = 'PROFILE_RESTRICTED';

/** Answers a message that was not sent. */
const restrictedAt = (now: number, restriction: NonNullable<SendAnswer['restriction']>): SendAnswer => ({
  outcome: 'refused',
  handedOverAt: new Date(now).toISOString(),
  code: restrictedCode,
  reason: 'The network has restricted the account: it may not write to people who have never written to it.',
  restriction,
});

const isRestricted = (outcome: SendOutcome): boolean =>
  outcome.outcome === 'refused' && outcome.code === restrictedCode;

/** A message that was refused because of a restriction counts as not attempted: it is sent again when the restriction has ended. */
const isFinal = ({ state, code, attempt }: SentRecord, asked: number): boolean =>
  state === 'refused' && code !== restrictedCode && asked <= attempt;

const isToStranger = ({ to, isKnownChat }: SendRequest): boolean => isKnownChat !== true && !to.endsWith('@g.us');

const recordAfter = (before: SentRecord, outcome: SendOutcome): SentRecord =>
  outcome.outcome === 'refused'
    ? { ...before, state: 'refused', code: outcome.code, reason: outcome.reason }
    : { ...before, state: outcome.outcome };

function answerOf({ state, at, code, reason }: SentRecord): SendAnswer {
  return {
    outcome: state,
    handedOverAt: new Date(at).toISOString(),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
  };
}

const id = 'epoch';

/**
 * Lets through who speaks with the newest epoch of the profile's lane, and refuses owners that were replaced. Kept with
 * the session data, so that it holds for the next holder of the profile as well. It is written before what follows it,
 * so a send need not wait for it: its own record is committed later, and before the stanza leaves.
 */
export class LaneFence {
  readonly #data: SessionData;
  /** Undefined until it was read. */
  #epoch: number | undefined;
  #written = Promise.resolve();

  constructor(data: SessionData) {
    this.#data = data;
  }

  /** @throws Refused CONFLICT for an older epoch, with the newest in its details: nothing has left */
  async pass(epoch: number): Promise<void> {
    if (epoch === this.#epoch) return;
    const [value] = this.#epoch === undefined ? await this.#data.read('lane', [id]) : [];
    this.#epoch ??= value === undefined ? 0 : Number(value.toString());
    if (epoch < this.#epoch)
      throw new Refused('CONFLICT', 'Another replica has taken over the lane of this profile.', {
        ...nothingLeft,
        laneEpoch: this.#epoch,
      });
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#written = this.#data.commit([{ table: 'lane', id, value: Buffer.from(String(epoch)) }]);
    this.#written.catch(() => undefined);
  }

  /** Resolves when older epochs are shut out for good. */
  shut(): Promise<void> {
    return this.#written;
  }
}

/** The record of a message that was handed to the network. Times in milliseconds since 1970. */
export interface SentRecord {
  readonly state: 'handed-over' | 'acknowledged' | 'refused';
  readonly at: number;
  readonly attempt: number;
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

const rowOf = (networkMessageId: string, record: SentRecord): Change => ({
  table: 'sent',
  id: networkMessageId,
  value: Buffer.from(JSON.stringify(record)),
});
const dueOf = (networkMessageId: string, { at }: SentRecord): Change => dueChange('sent', [networkMessageId], at);

/** Changes that keep the outcome of a message. One that was refused may have no record from before. */
const outcomeChanges = (networkMessageId: string, record: SentRecord): readonly Change[] => [
  rowOf(networkMessageId, record),
  ...(record.state === 'refused' ? [dueOf(networkMessageId, record)] : []),
];

/** With the message itself, so that a contact who cannot read it can be sent it again. */
const firstRecord = (networkMessageId: string, record: SentRecord, encoded: Uint8Array): readonly Change[] => [
  rowOf(networkMessageId, record),
  { table: 'content', id: networkMessageId, value: encoded },
  dueOf(networkMessageId, record),
];

async function readRecord(data: SessionData, networkMessageId: string): Promise<SentRecord | undefined> {
  const [value] = await data.read('sent', [networkMessageId]);
  return value === undefined ? undefined : (JSON.parse(value.toString()) as SentRecord);
}
