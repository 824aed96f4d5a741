import type {
  AnswerOf,
  BodyOf,
  Caller,
  DataOf,
  EventContract,
  EventEnvelope,
  EventMark,
  InternalOperation,
  Operation,
  ParamsOf,
  Piece,
  QueryOf,
} from '@messaging-gateway/contracts';
import type {
  AnyStreamType,
  AppendGuard,
  DomainEvent,
  InlineView,
  JournalEntry,
  RecordedAs,
  RecordedEvent,
} from '@messaging-gateway/event-sourcing';
import { Refused, type Way } from '@messaging-gateway/messaging';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import type { Job } from './jobs.ts';
import type { Running } from './running.ts';
import type { Sql } from './sql.ts';

export type { Running } from './running.ts';

/** Facts about a request, for the handler that answers it. */
export interface RequestContext {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly deadline: number;
  readonly resourceId: string;
  readonly repeated: boolean;
  readonly ip: string | undefined;
  readonly userAgent: string | undefined;
  /** Where the client reaches the API, without a slash at its end; undefined when another service asks. */
  readonly publicUrl: string | undefined;
  /**
   * The manager of the service's entities for this request: each row that it reads is one object, until something is
   * appended (`appended`), as that changes rows. Of a caller it sees the organization alone, otherwise what it is given
   * (`ofOrganization`). Made when it is first asked for.
   *
   * @throws Error when the service has no entities
   */
  readonly em: () => EntityManager;
  /** Of an operation with `pieces`: answer `more(state)` to every piece but the last. */
  readonly piece: Piece | undefined;
  /** Of an operation that is `spoken`: the answer is wanted in pieces; `state` is that of the last `spokenPiece`. */
  readonly speech: { readonly state?: unknown } | undefined;
  /**
   * Give this to `EventStore.handle` as `onAppended`: what was appended is named in the reply, so that later reads
   * of the same organization wait until it was handled, and the audit takes it for what the request was about.
   */
  readonly appended: (events: readonly RecordedEvent[]) => void;
  /** Notes events that another replica or service raised for the request: give it to `ask`. */
  readonly raised: (marks: readonly EventMark[]) => void;
}

export interface OperationInput<B, P = Readonly<Record<string, string>>, Q = Readonly<Record<string, unknown>>> {
  readonly body: B;
  readonly params: P;
  readonly query: Q;
  /** The caller; present on every route that is not public. */
  readonly caller: Caller;
  readonly context: RequestContext;
}

/** Input of the handler of a route: body, path and query as its contract says. */
export type InputOf<O extends Operation> = OperationInput<BodyOf<O>, ParamsOf<O>, QueryOf<O>>;

/** A body is answered with the first status of the contract; `answer(202, body)` picks another. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly state?: unknown;
}

export interface OperationRow {
  readonly row: 'operation';
  readonly contract: Operation;
  /** Returns a body or a `Reply`. */
  readonly handler: (input: OperationInput<never, never, never>) => Promise<unknown>;
}
export interface InternalRow {
  readonly row: 'internal';
  readonly contract: InternalOperation;
  readonly handler: (body: never, context: RequestContext) => Promise<unknown>;
}
export interface ReactionRow {
  readonly row: 'reaction';
  readonly contract: EventContract;
  readonly handler: (data: never, event: EventEnvelope) => Promise<void>;
  /** Default: one of a key after the other. */
  readonly way?: Way;
}

/** Binds a route's handler. It returns a body (first status of the contract) or an `answer(…)`. */
export function operation<O extends Operation>(
  contract: O,
  handler: (input: InputOf<O>) => Promise<unknown>,
): OperationRow {
  return { row: 'operation', contract, handler };
}

const replies = new WeakSet<object>();
const isReply = (value: unknown): value is Reply => typeof value === 'object' && value !== null && replies.has(value);

/** Reply by a handler's result: a bare body goes with the first status of the contract. */
export const replyOf = ({ answers }: Operation, returned: unknown): Reply =>
  isReply(returned) ? returned : { status: Number(Object.keys(answers)[0]), body: returned };

/** Answers with another status than the first one of the contract, or with headers. */
export function answer(status: number, body?: unknown, headers?: Readonly<Record<string, string>>): Reply {
  const made: Reply = { status, body, ...(headers && { headers }) };
  replies.add(made);
  return made;
}

/** Asks for the next piece of the body, to be handed over with this state. */
export function more(state: unknown): Reply {
  const made: Reply = { status: 200, state };
  replies.add(made);
  return made;
}

/** A piece of an answer that is not whole yet; the next one is asked for with this state. */
export function spokenPiece(content: string, state: unknown): Reply {
  const made: Reply = { status: 200, body: { content }, state };
  replies.add(made);
  return made;
}

export function internalOperation<O extends InternalOperation>(
  contract: O,
  handler: (body: Static<O['body']>, context: RequestContext) => Promise<AnswerOf<O>>,
): InternalRow {
  return { row: 'internal', contract, handler };
}

/** Takes in a fact of another service (or the own one). At least once: the handler makes a repeat harmless. */
export function reaction<E extends EventContract>(
  contract: E,
  handler: (data: DataOf<E>, event: EventEnvelope<DataOf<E>>) => Promise<void>,
): ReactionRow {
  return { row: 'reaction', contract, handler: handler as ReactionRow['handler'] };
}

/**
 * A reaction that gathers many events into one write: those of one key are begun in their order, but one need not wait
 * until the one before is handled, and neither for the other reactions to it. All reactions of a service to one kind are of one sort.
 *
 * @param concurrency events handled at the same time, at most: less than usual for what others must not wait for
 */
export function batchedReaction<E extends EventContract>(
  contract: E,
  handler: (data: DataOf<E>, event: EventEnvelope<DataOf<E>>) => Promise<void>,
  concurrency?: number,
): ReactionRow {
  return { ...reaction(contract, handler), way: { ordered: false, ...(concurrency !== undefined && { concurrency }) } };
}

/**
 * History that a service keeps for some time after it was settled: rows of tables that are not made anew from the
 * journal, and the stream behind each of them. They go together, once an hour, by one replica at a time.
 */
export interface History {
  readonly stream: Pick<AnyStreamType, 'name'>;
  /** How long, days. */
  readonly days: number;
  /** Ids of some that were settled before a time, the longest ago first, with their rows locked; none that is open. */
  readonly settled: (sql: Sql, before: Date) => Promise<readonly string[]>;
  /** Deletes the rows of those whose streams are gone, in the same transaction. */
  readonly forget: (sql: Sql, ids: readonly string[]) => Promise<void>;
}

/** Everything that a service does, as rows. */
export interface ServiceDefinition {
  readonly name: string;
  readonly rows: readonly (OperationRow | InternalRow | ReactionRow)[];
  readonly publish: Publish;
  readonly running: readonly Running[];
  /** Begun after `running`, ended before it. Default: none. */
  readonly jobs?: readonly Job[];
  /** History that goes some time after it was settled. Default: none. */
  readonly history?: readonly History[];
}

/** Streams, views and guards of a service's journal: known before it is connected. */
export interface ServiceStorage {
  /** The PostgreSQL schema that only this service touches. */
  readonly schema: string;
  readonly streams: readonly AnyStreamType[];
  readonly inlineViews: readonly InlineView[];
  readonly guards: readonly AppendGuard[];
}

/** Whether a caller may touch a profile: an API key can be limited to some. */
export const profileAllowed = (caller: Caller, profileId: string): boolean =>
  caller.profileIds === undefined || caller.profileIds.includes(profileId);

/** @throws Refused FORBIDDEN when the API key of the caller is limited to other profiles */
export function assertProfileAllowed(caller: Caller, profileId: string): void {
  if (!profileAllowed(caller, profileId)) throw new Refused('FORBIDDEN', 'This API key is limited to other profiles.');
}

/** A contract event that a journal entry tells the outside. */
export interface Publication<D = unknown> {
  readonly contract: EventContract;
  readonly data: D;
  /** Order is kept per key. Default: the profile, else the stream. */
  readonly key?: string;
  /** When it happened, ISO 8601. Default: when the journal took it. */
  readonly time?: string;
}
export type Publish = (entry: RecordedEvent | JournalEntry) => readonly Publication[];

export const publication = <E extends EventContract>(contract: E, data: DataOf<E>, key?: string): Publication =>
  key === undefined ? { contract, data } : { contract, data, key };

/** Facts that the events of one stream type tell the outside. */
export interface Tells {
  readonly stream: string;
  readonly byType: Readonly<Record<string, ((event: never) => readonly Publication[]) | undefined>>;
}

/**
 * Facts of ours: what the events of a stream tell the others, by the type of the event. Types that are not named tell
 * nothing. Pure: the same event tells the same each time it is asked.
 */
export const tells = <Event extends DomainEvent>(
  stream: { readonly name: string; readonly decider: { evolve(state: never, event: Event): unknown } },
  byType: {
    readonly [T in Event['type']]?: (event: RecordedAs<Extract<Event, { readonly type: T }>>) => readonly Publication[];
  },
): Tells => ({ stream: stream.name, byType });

/** All that the streams of a service tell. */
export function publishing(told: readonly Tells[]): Publish {
  const byType = Map.groupBy(
    told.flatMap(({ stream, byType: ofStream }) =>
      Object.entries(ofStream).map(([type, tell]) => ({ type, begin: `${stream}-`, tell })),
    ),
    ({ type }) => type,
  );
  return (entry) => {
    const rows = byType.get(entry.type);
    return rows === undefined
      ? []
      : rows.flatMap(({ begin, tell }) => (entry.stream.startsWith(begin) ? (tell?.(entry as never) ?? []) : []));
  };
}
