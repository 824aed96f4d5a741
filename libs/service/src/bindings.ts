import {
  auditOf,
  check,
  knownFields,
  type Caller,
  type EventMark,
  type OperationReply,
  type OperationRequest,
} from '@messaging-gateway/contracts';
import type { AuditMark, EventStore, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { invalid, Refused, marksOf, type OperationHandler } from '@messaging-gateway/messaging';
import { isUnavailable, type Clock, type Logger, type Metrics } from '@messaging-gateway/runtime';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Counter, Histogram } from 'prom-client';
import type { TSchema } from 'typebox';
import { isWritten, markOf, marking, withAudit } from './auditing.ts';
import { recordRequest } from './audited-requests.ts';
import type { ServiceDatabase } from './database.ts';
import {
  type InternalRow,
  type OperationInput,
  type OperationRow,
  type Publish,
  replyOf,
  type RequestContext,
} from './definition.ts';

/** Parts that the rows of a service need to be served on a bus. */
export interface BindingTools {
  readonly service: string;
  readonly schema: string;
  readonly publish: Publish;
  readonly store: EventStore;
  readonly em: ServiceDatabase['em'];
  readonly handled: HandledEvents;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
}

/**
 * Checks what one service asks of another. Fields that this version does not know are left out: a newer one has added them.
 *
 * @returns the body to go by
 * @throws Refused VALIDATION_ERROR with all faults of the body
 */
function checkBody(schema: TSchema, body: unknown): unknown {
  if (check(schema, body, 'body').length === 0) return body;
  const known = knownFields(schema, body);
  const faults = check(schema, known, 'body');
  if (faults.length === 0) return known;
  throw invalid(faults);
}

/** Serves a route: waits for what its caller has caused before, names what was raised. The gateway has checked the body. */
export function operationHandler({ contract, handler }: OperationRow, tools: BindingTools): OperationHandler {
  const audit = auditOf(contract);
  const told = audit === undefined || audit.awaited === false ? tools.publish : withAudit(tools.publish);
  return guarded(contract.name, { ...tools, publish: told }, async (request, context, hasWritten) => {
    const isSettled = await tools.handled.settled(request.after ?? []);
    const { body, ...asked } = request;
    const { params, query } = asked;
    const caller = asked.caller as Caller;
    const fields = typeof body === 'object' && body !== null ? Object.keys(body) : [];
    const mark = audit && markOf(audit, contract, asked, fields);
    marking(mark, context);
    const given = { body, params, query, caller, context } as OperationInput<never, never, never>;
    const answer = async () => replyOf(contract, await handler(given));
    const reply = isSettled ? await answer() : await foundLater(answer, request, tools, hasWritten);
    if (mark !== undefined && audit?.carriedOut === true && !isWritten(mark))
      await recordRequest(tools.store, mark, caller, context);
    return reply;
  });
}

/** What is not found may be what its caller has just made: it is looked for once more when the news of that are there. */
async function foundLater(
  answer: () => Promise<OperationReply>,
  { after = [], deadline }: OperationRequest,
  { handled, clock }: BindingTools,
  hasWritten: () => boolean,
): Promise<OperationReply> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof Refused && error.code === 'NOT_FOUND') || hasWritten()) throw error;
    const longestMs = Math.max(0, Math.min(longestWaitMs, deadline - clock.now() - answerMs));
    // Of what the caller has named itself it has said how long it waits.
    const own = after.filter(({ waitMs }) => waitMs === undefined);
    await handled.settled(own.map((mark) => ({ ...mark, waitMs: longestMs })));
    return answer();
  }
}

/** Serves a request from another service. */
export function internalHandler({ contract, handler }: InternalRow, tools: BindingTools): OperationHandler {
  return guarded(contract.name, tools, async (request, context) => {
    const body = checkBody(contract.body, request.body);
    marking(request.audit as AuditMark | undefined, context);
    return { status: 200, body: await handler(body as never, context) };
  });
}

type Answering = (
  request: OperationRequest,
  context: RequestContext,
  hasWritten: () => boolean,
) => Promise<OperationReply>;

function guarded(name: string, tools: BindingTools, answering: Answering): OperationHandler {
  return async (request) => {
    const begun = performance.now();
    const appended: RecordedEvent[] = [];
    const marks: EventMark[] = [];
    const raisedSoFar = (): readonly EventMark[] | undefined => {
      const raised = [...marks, ...(appended.length > 0 ? marksOf(tools.schema, tools.publish, appended) : [])];
      return raised.length === 0 ? undefined : raised;
    };
    const measure = (outcome: string): void =>
      tools.metrics.operation(name, outcome, (performance.now() - begun) / 1000);
    try {
      if (tools.clock.now() >= request.deadline)
        throw new Refused('SERVICE_UNAVAILABLE', 'The request came after its deadline.');
      const context = contextOf(request, appended, marks, tools);
      const { status, body, headers, state } = await answering(
        request,
        context,
        () => appended.length + marks.length > 0,
      );
      const raised = raisedSoFar();
      measure('ok');
      return {
        status,
        ...(body !== undefined && { body }),
        ...(headers && { headers }),
        ...(state !== undefined && { state }),
        ...(raised && { raised }),
      };
    } catch (error) {
      const refused = refusalOf(error, name, request, tools);
      measure(refused.code);
      const { code, message, details, headers } = refused;
      const raised = raisedSoFar();
      // The caller's next request waits for these events too, as it does after a success.
      throw raised === undefined ? refused : new Refused(code, message, details, headers, raised);
    }
  };
}

function contextOf(
  request: OperationRequest,
  appended: RecordedEvent[],
  marks: EventMark[],
  tools: BindingTools,
): RequestContext {
  let em: EntityManager | undefined;
  return {
    requestId: request.requestId,
    traceparent: request.traceparent,
    publicUrl: request.publicUrl,
    deadline: request.deadline,
    resourceId: request.resourceId,
    repeated: request.repeated ?? false,
    ip: request.ip,
    userAgent: request.userAgent,
    piece: request.piece,
    speech: request.speech,
    appended: (events) => {
      appended.push(...events);
      em?.clear();
    },
    raised: (named) => void marks.push(...named),
    em: () => (em ??= tools.em(request.caller?.organizationId)),
  };
}

/** Refusal by an error. Nothing of an unknown error leaves the service; the log has it under the request's id. */
function refusalOf(error: unknown, operation: string, { requestId }: OperationRequest, { log }: BindingTools): Refused {
  if (error instanceof Refused) return error;
  if (isUnavailable(error)) {
    log.warn('Operation without a part that it needs', { operation, requestId, reason: String(error) });
    return new Refused('SERVICE_UNAVAILABLE', 'A part that is needed is not available now.', undefined, {
      'Retry-After': '1',
    });
  }
  const { stack, message } = error instanceof Error ? error : new Error(String(error));
  log.error('Operation failed', { operation, requestId, reason: message, stack });
  return new Refused('INTERNAL_ERROR', 'Something failed that the caller cannot mend.');
}

/** Ids remembered, at most twice as many. */
const remembered = 10_000;
const usualWaitMs = 1_000;
/** What was not found waits longer, at most so long, and leaves so much time for the answer, milliseconds. */
const [longestWaitMs, answerMs] = [10_000, 1_000];

/** How replicas of a service tell each other what they have handled. */
export interface HandledElsewhere {
  /** Tells the other replicas. Costs next to nothing; may be lost. */
  tell(id: string): void;
  /** Calls back with what another replica has handled. */
  onHeard(listener: (id: string) => void): void;
}

/** Age of the oldest event for which somebody waits, milliseconds: marks of the gateway live for two seconds. */
const toldForMs = 5_000;

/**
 * Knows which events this service has handled of late, so that a read, and a write, can wait for those that its caller has
 * caused (reads and writes follow writes).
 */
export class HandledEvents {
  readonly #kinds: ReadonlySet<string>;
  readonly #waiting = new Map<string, Set<() => void>>();
  #recent = new Set<string>();
  #older = new Set<string>();

  readonly #elsewhere: HandledElsewhere | undefined;
  readonly #longestWaitMs: number;

  /**
   * @param kinds that the service reacts to; others need no waiting
   * @param elsewhere the other replicas of the service, where there can be some
   * @param longestWaitMs how long a request waits at most, milliseconds
   */
  constructor(kinds: Iterable<string>, elsewhere?: HandledElsewhere, longestWaitMs = usualWaitMs) {
    this.#kinds = new Set(kinds);
    this.#elsewhere = elsewhere;
    this.#longestWaitMs = longestWaitMs;
    elsewhere?.onHeard((id) => this.#note(id));
  }

  /** @param ageMs milliseconds since the event was raised */
  add(id: string, ageMs = 0): void {
    this.#note(id);
    if (ageMs < toldForMs) this.#elsewhere?.tell(id);
  }

  #note(id: string): void {
    if (this.#recent.size >= remembered) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    this.#recent.add(id);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    for (const resolve of waiting) resolve();
  }

  /** Resolves when all were handled, at the latest when nobody may wait any longer. @returns whether all were */
  async settled(marks: readonly EventMark[]): Promise<boolean> {
    const concerns = ({ id, type }: EventMark): boolean =>
      (type === undefined || this.#kinds.has(type)) && !this.#recent.has(id) && !this.#older.has(id);
    const open = marks.filter(concerns);
    if (open.length === 0) return true;
    const handled = await Promise.all(open.map(({ id, waitMs = this.#longestWaitMs }) => this.#wait(id, waitMs)));
    return handled.every(Boolean);
  }

  #wait(id: string, longestMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = (isHandled = true): void => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve(isHandled);
      };
      const timer = setTimeout(() => done(false), longestMs);
      waiting.add(done);
    });
  }
}

/** Metrics of every service. */
export interface ServiceMetrics {
  /** @param seconds from its arrival; @param outcome `ok` or the code of the refusal */
  operation(name: string, outcome: string, seconds: number): void;
  /** @param seconds from the event's time until it was handled */
  reaction(kind: string, seconds: number): void;
  deadLetter(name: string): void;
  /** A batch of the journal: streams written together, and those that a rival had written meanwhile. */
  written(streams: number, conflicts: number): void;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers on first use; the services of one process share the metrics, told apart by the label `service`. */
export function serviceMetrics(registry: Metrics, service: string): ServiceMetrics {
  const histogram = (name: string, help: string, labelNames: string[], buckets = seconds): Histogram =>
    shared(registry, name, () => new Histogram({ name, help, labelNames, buckets, registers: [registry] }));
  const counter = (name: string, help: string, labelNames: string[]): Counter =>
    shared(registry, name, () => new Counter({ name, help, labelNames, registers: [registry] }));
  const operations = histogram('operation_duration_seconds', "From an operation's arrival at its owner to the answer", [
    'service',
    'operation',
    'outcome',
  ]);
  const lag = histogram('reaction_lag_seconds', "From an event's time until a service has handled it", [
    'service',
    'kind',
  ]);
  const letters = counter('dead_letters_total', 'Events that were given up', ['service', 'name']);
  const batches = histogram(
    'journal_batch_streams',
    'Streams that were written to the journal with one statement',
    ['service'],
    [1, 2, 4, 8, 16, 32, 64],
  );
  const conflicts = counter('journal_conflicts_total', 'Appends that met a rival and were decided again', ['service']);
  return {
    operation: (operation, outcome, duration) => operations.observe({ service, operation, outcome }, duration),
    reaction: (kind, duration) => lag.observe({ service, kind }, duration),
    deadLetter: (name) => letters.inc({ service, name }),
    written: (streams, lost) => {
      batches.observe({ service }, streams);
      if (lost > 0) conflicts.inc({ service }, lost);
    },
  };
}

function shared<M>(registry: Metrics, name: string, make: () => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make();
}
