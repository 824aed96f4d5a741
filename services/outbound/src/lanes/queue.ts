import { type RecordedAs, view } from '@messaging-gateway/event-sourcing';
import type { Metrics } from '@messaging-gateway/runtime';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import { isRecorded } from '@messaging-gateway/tracing';
import { Counter, Gauge, Histogram } from 'prom-client';
import {
  type DeliveryAttemptFailed,
  isChange,
  type MessageAccepted,
  messageStream,
  type OutcomeLost,
} from '../message/message.ts';
import { follow, openedBy, openedFrom, type OpenMessage, type Past, type QueueRow } from './agenda.ts';
import type { Recorded } from './journal.ts';

/** Durable messages of a lane held in memory, at most; the others wait in the table. */
const windowSize = 200;
/** Held messages do not count for the window, so that others pass them; so many of them are in memory, at most. */
const maxHeld = 5_000;

/** A message that is being accepted. */
interface Reservation {
  readonly order: number;
  /** Of whoever waits for it. */
  readonly deadline: number | undefined;
}

interface Placed {
  readonly order: number;
  readonly message: OpenMessage;
}

/** The open messages of a lane in the order of acceptance: a window in memory on the table `queue`, fed by the journal. */
export class LaneQueue {
  readonly #sql: Sql;
  readonly #profileId: string;
  readonly #reserved = new Map<string, Reservation>();
  readonly #known = new Map<string, Placed>();
  /** The messages of `#known`, in their order. */
  #line: Placed[] = [];
  #next = 0;
  /** The table may hold more than is here. */
  #more: boolean;
  /** Rows that the table may hold of the time before. */
  #past: Past;
  #entered = 0;
  #onNothingReserved: (() => void)[] = [];

  constructor(sql: Sql, profileId: string, past: Past) {
    this.#sql = sql;
    this.#profileId = profileId;
    this.#past = past;
    this.#more = past !== 'nothing';
  }

  /** All in memory, in their order. */
  get messages(): OpenMessage[] {
    return this.#line.map(({ message }) => message);
  }

  /** Messages that no worker has in hand. */
  get free(): OpenMessage[] {
    const free: OpenMessage[] = [];
    for (const { message } of this.#line) if (message.isInHand !== true) free.push(message);
    return free;
  }

  get isEmpty(): boolean {
    return !this.#more && this.#line.length === 0 && this.#reserved.size === 0;
  }

  knows(messageId: string): boolean {
    return this.#known.has(messageId) || this.#reserved.has(messageId);
  }

  /** Whether no message is here of which only an owner that is gone knows whether it was handed over. */
  get isAccountedFor(): boolean {
    if (this.#more) return this.#past === 'left';
    return !this.#line.some(({ message }) => message.isInHand === true || message.isUnaccounted === true);
  }

  /** Gives a message that is about to be accepted its place in the order. @param deadline of whoever waits for it */
  reserve(messageId: string, deadline: number | undefined): void {
    this.#reserved.set(messageId, { order: this.#next, deadline });
    this.#next += 1;
  }

  /** Takes a reservation back: the message was accepted, or was not. */
  release(messageId: string): void {
    this.#reserved.delete(messageId);
    if (this.#reserved.size > 0) return;
    for (const resolve of this.#onNothingReserved.splice(0)) resolve();
  }

  /** Resolves when nothing is being accepted. */
  async nothingReserved(): Promise<void> {
    while (this.#reserved.size > 0) await new Promise<void>((resolve) => this.#onNothingReserved.push(resolve));
  }

  /**
   * Takes in events written of a message. A durable one that is accepted beyond the window stays in the table until its
   * turn comes near.
   *
   * @returns whether there is something else to be done now
   */
  apply({ events, state, appended }: Pick<Recorded, 'events' | 'state' | 'appended'>): boolean {
    let isNews = false;
    for (const [index, event] of events.entries()) {
      const { messageId } = event.data;
      const placed = this.#known.get(messageId);
      const recorded = appended[index];
      if (event.type === 'MessageAccepted') {
        if (state.status !== 'none' && recorded !== undefined)
          this.#enter(messageId, openedBy(state, recorded, this.#reserved.get(messageId)?.deadline));
        isNews = true;
      } else if (placed !== undefined && !follow(placed.message, event)) {
        this.drop(messageId);
        isNews ||= placed.message.isInHand !== true;
      }
    }
    return isNews;
  }

  /** Takes a message out for which nothing is to be done any more. */
  drop(messageId: string): void {
    const placed = this.#known.get(messageId);
    if (placed === undefined) return;
    this.#known.delete(messageId);
    this.#line.splice(this.#line.indexOf(placed), 1);
  }

  /** Gives unsettled messages all their tries again, from now on. */
  settleAnew(): void {
    for (const message of this.free) {
      if (message.phase === 'waiting') continue;
      message.settlements = 0;
      delete message.dueAt;
    }
  }

  /** The table may hold something that is not known here. */
  suspect(): void {
    this.#more = true;
  }

  /** Memory runs low, and the table may hold more. */
  get wantsMore(): boolean {
    return this.#more && this.#line.length < windowSize / 4 + this.#held;
  }

  get #held(): number {
    return Math.min(this.#line.filter(({ message }) => message.isHeld === true).length, maxHeld);
  }

  /** Reads on until memory holds enough or the table no more. One call at a time. */
  async topUp(): Promise<void> {
    while (this.wantsMore) await this.#read();
  }

  async #read(): Promise<void> {
    const entered = this.#entered;
    const limit = windowSize + this.#line.length + this.#reserved.size;
    const rows = await this.#sql.query<QueueRow>(
      `SELECT message_id, conversation_id, mode, accepted_at, outcome_lost, attempts, due_at, traceparent, is_change, expires_at FROM queue
       WHERE profile_id = $1 ORDER BY place LIMIT $2`,
      [this.#profileId, limit],
    );
    this.#takeIn(rows);
    // What was accepted after the statement began may be missing in its rows.
    if (rows.length >= limit || entered !== this.#entered) return;
    this.#more = false;
    // Whatever the table shows later, nobody has left in order.
    this.#past = 'gone';
  }

  /**
   * Rows come in the order of the table. A message that is being accepted stands where its row stands; one without a row is
   * accepted after all of them, however early it was asked for.
   */
  #takeIn(rows: readonly QueueRow[]): void {
    const later = new Map(this.#reserved);
    let joined = false;
    for (const row of rows) {
      const { message_id: messageId } = row;
      if (this.#known.has(messageId)) continue;
      const reserved = later.get(messageId);
      if (reserved === undefined) {
        this.#insert(openedFrom(row, this.#past), this.#next);
        joined = true;
      } else {
        later.delete(messageId);
        this.reserve(messageId, reserved.deadline);
      }
    }
    if (joined) for (const [messageId, { deadline }] of later) this.reserve(messageId, deadline);
  }

  #enter(messageId: string, message: OpenMessage): void {
    const order = this.#reserved.get(messageId)?.order ?? this.#next;
    this.#reserved.delete(messageId);
    this.#entered += 1;
    if (message.mode === 'durable' && (this.#more || this.#line.length >= windowSize + this.#held)) this.#more = true;
    else this.#insert(message, order);
  }

  #insert(message: OpenMessage, order: number): void {
    const { messageId } = message;
    if (this.#known.has(messageId)) return;
    const placed = { order, message };
    this.#known.set(messageId, placed);
    this.#next = Math.max(this.#next, order + 1);
    const after = this.#line.findLastIndex((other) => other.order < order);
    this.#line.splice(after + 1, 0, placed);
  }
}

interface WrittenRow {
  readonly messageId: string;
  readonly profileId: string;
  readonly conversationId: string;
  readonly mode: string;
  readonly acceptedAt: string;
  readonly outcomeLost?: boolean;
  readonly attempts?: number;
  readonly dueAt?: string;
  readonly traceparent?: string;
  readonly isChange?: boolean;
  readonly expiresAt?: string;
}

function rowOf({
  type,
  data,
  metadata,
}: RecordedAs<MessageAccepted | OutcomeLost | DeliveryAttemptFailed>): WrittenRow {
  const { messageId, profileId, conversationId, mode, acceptedAt } = data;
  const { traceparent } = metadata;
  const trace = traceparent !== undefined && isRecorded(traceparent) ? { traceparent } : {};
  const row = { messageId, profileId, conversationId, mode, acceptedAt, isChange: isChange(data.type), ...trace };
  if (type === 'DeliveryAttemptFailed') return { ...row, attempts: data.attempt, dueAt: data.nextAttemptAt };
  if (type === 'OutcomeLost') return { ...row, outcomeLost: true };
  return data.terms?.expiresAt === undefined ? row : { ...row, expiresAt: data.terms.expiresAt };
}

/**
 * Messages still to be sent or settled, in the order of acceptance: few, because settled ones leave it. `place` is
 * drawn while the guard holds the lane's lock, so that it grows per lane.
 */
export const queueView = view({
  name: 'queue',
  of: messageStream,
  on: ['MessageAccepted', 'OutcomeLost', 'DeliveryAttemptFailed'],
  rows: (events) => events.map(rowOf),
  tables: ['queue'],
  sql: `
    INSERT INTO {schema}.queue AS entry
      (message_id, profile_id, conversation_id, mode, accepted_at, outcome_lost, attempts, due_at, traceparent, is_change, expires_at, place)
    SELECT message_id, profile_id, conversation_id, mode, accepted_at, outcome_lost, attempts, due_at, traceparent, is_change, expires_at,
      nextval('{schema}.queue_place')
    FROM (
      SELECT (row->>'messageId')::uuid AS message_id, (row->>'profileId')::uuid AS profile_id,
        (row->>'conversationId')::uuid AS conversation_id, row->>'mode' AS mode,
        (row->>'acceptedAt')::timestamptz AS accepted_at, coalesce((row->>'outcomeLost')::boolean, false) AS outcome_lost,
        coalesce((row->>'attempts')::smallint, 0::smallint) AS attempts, (row->>'dueAt')::timestamptz AS due_at,
        row->>'traceparent' AS traceparent, coalesce((row->>'isChange')::boolean, false) AS is_change,
        (row->>'expiresAt')::timestamptz AS expires_at
      FROM {rows} ORDER BY ordinal
    ) AS change
    ON CONFLICT (message_id) DO UPDATE SET
      outcome_lost = entry.outcome_lost OR excluded.outcome_lost, due_at = excluded.due_at,
      attempts = greatest(entry.attempts, excluded.attempts)`,
});

/** Takes what is settled out of the queue. */
export const settledView = view({
  name: 'queue_settled',
  of: messageStream,
  on: ['MessageSent', 'MessageFailed', 'SettlementAbandoned'],
  rows: (events) => events.map(({ data }) => ({ messageId: data.messageId })),
  tables: ['queue'],
  sql: `DELETE FROM {schema}.queue WHERE message_id IN (SELECT (row->>'messageId')::uuid FROM {rows})`,
});

/** Metrics of outbound. */
export interface OutboundMetrics {
  /** @param outcome `sent`, `refused`, `lost`, `not-connected` or `disowned` */
  attempt(outcome: string): void;
  /** A message reached a state: `sent`, `failed` with its code, or `unknown`. */
  settled(status: string, code: string): void;
  /** @param seconds from acceptance until the message was handed over for the first time */
  waited(seconds: number): void;
  /** A send was refused because of the daily limit. */
  limited(): void;
  /** Lanes came to this process or left it. */
  laneChanged(change: 'claimed' | 'handed-over' | 'moved' | 'lost', lanes: number): void;
}

/** Counts of the lanes of this process. */
export interface LaneLoad {
  /** Lanes in memory; of several replicas each has its own. */
  readonly owned: number;
  /** Lanes with work. */
  readonly active: number;
  readonly messages: number;
}

const seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3600];

/**
 * Registers the metrics; a service that is started again in the same process takes the place of the former one.
 *
 * @param lanes counts lanes with work, and the messages that they hold, when the metrics are read
 */
export function outboundMetrics(registry: Metrics, lanes: () => LaneLoad): OutboundMetrics {
  const registers = [registry];
  const named = <Name extends string>(name: Name): Name => {
    registry.removeSingleMetric(name);
    return name;
  };
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: named(name), help, labelNames, registers });
  const attempts = counter('outbound_attempts_total', 'Hand-overs to sessions by outcome', ['outcome']);
  const settled = counter('outbound_messages_total', 'Messages by outcome', ['status', 'code']);
  const limited = counter('outbound_daily_limit_refusals_total', 'Sends refused at the daily limit', []);
  const changes = counter(
    'outbound_lane_changes_total',
    'Lanes that came to this process (claimed) or left it (handed-over at rest or at a stop, moved to a replica that owns fewer, lost)',
    ['change'],
  );
  const waited = new Histogram({
    name: named('outbound_gate_wait_seconds'),
    help: 'From acceptance to the first hand-over',
    buckets: seconds,
    registers,
  });
  const owned: Gauge = new Gauge({
    name: named('outbound_lanes'),
    help: 'Lanes that this process owns and has in memory',
    registers,
    collect: () => owned.set(lanes().owned),
  });
  const active: Gauge = new Gauge({
    name: named('outbound_lanes_active'),
    help: 'Lanes with work',
    registers,
    collect: () => active.set(lanes().active),
  });
  const depth: Gauge = new Gauge({
    name: named('outbound_queue_depth'),
    help: 'Open messages in the memory of lanes',
    registers,
    collect: () => depth.set(lanes().messages),
  });
  return {
    attempt: (outcome) => attempts.inc({ outcome }),
    settled: (status, code) => settled.inc({ status, code }),
    waited: (duration) => waited.observe(duration),
    limited: () => limited.inc(),
    laneChanged: (change, count) => changes.inc({ change }, count),
  };
}

/** Gauges of the queues of all replicas: each replica tells the same. */
export const queueGauges = ({ sql, clock }: Pick<ServiceTools<unknown>, 'sql' | 'clock'>) => [
  {
    name: 'outbound_queue_messages',
    help: 'Messages accepted and not settled, of all replicas: waiting to go out, or unsettled because their outcome is not known',
    labels: ['state'],
    look: async () => {
      const rows = await sql.query<{ unsettled: boolean; count: number }>(
        'SELECT outcome_lost AS unsettled, count(*)::int AS count FROM queue GROUP BY outcome_lost',
      );
      const count = (lost: boolean): number => rows.find(({ unsettled }) => unsettled === lost)?.count ?? 0;
      return [
        { labels: { state: 'waiting' }, value: count(false) },
        { labels: { state: 'unsettled' }, value: count(true) },
      ];
    },
  },
  {
    name: 'outbound_queue_oldest_seconds',
    help: 'Age of the oldest message that is accepted and not settled, of all replicas; 0 without any',
    look: async () => {
      const [row] = await sql.query<{ oldest: Date | null }>('SELECT min(accepted_at) AS oldest FROM queue');
      return [{ value: row?.oldest ? Math.max(0, clock.now() - row.oldest.getTime()) / 1000 : 0 }];
    },
  },
];
