import {
  auditOf,
  check,
  knownFields,
  type EventMark,
  type OperationReply,
  type OperationRequest,
  type Caller,
} from '@messaging-gateway/contracts';
import type { AuditMark, EventStore, RecordedEvent } from '@messaging-gateway/event-sourcing';
import { marksOf, Refused, type OperationHandler } from '@messaging-gateway/messaging';
import { isUnavailable, type Clock, type Logger } from '@messaging-gateway/runtime';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { TSchema } from 'typebox';
import { isWritten, markOf, marking, withAudit } from './auditing.ts';
import { noteCarriedOut } from './carried-out.ts';
import type { ServiceDatabase } from './database.ts';
import type { InternalRow, OperationInput, OperationRow, RequestContext } from './definition.ts';
import type { Publish } from './telling.ts';
import type { HandledEvents } from './handled-events.ts';
import type { ServiceMetrics } from './service-metrics.ts';

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
function checkBody(schema: TSchema, body: unknown, operation: string): unknown {
  if (check(schema, body, 'body').length === 0) return body;
  const known = knownFields(schema, body);
  const faults = check(schema, known, 'body');
  if (faults.length === 0) return known;
  throw new Refused('VALIDATION_ERROR', `The body of ${operation} is not valid.`, faults);
}

/** Serves a route: waits for what its caller has caused before, names what was raised. The gateway has checked the body. */
export function operationHandler({ contract, handler }: OperationRow, tools: BindingTools): OperationHandler {
  const audit = auditOf(contract);
  const told = audit === undefined || audit.awaited === false ? tools.publish : withAudit(tools.publish);
  return guarded(contract.name, { ...tools, publish: told }, async (request, context) => {
    if (request.after !== undefined) await tools.handled.settled(request.after);
    const { body, params, query } = request;
    const caller = request.caller as Caller;
    const mark = markOf(contract, request);
    marking(mark, context);
    const reply = await handler({ body, params, query, caller, context } as OperationInput<never, never, never>);
    if (mark !== undefined && audit?.carriedOut === true && !isWritten(mark))
      await noteCarriedOut(tools.store, mark, caller, context);
    return reply;
  });
}

/** Serves a request from another service. */
export function internalHandler({ contract, handler }: InternalRow, tools: BindingTools): OperationHandler {
  return guarded(contract.name, tools, async (request, context) => {
    const body = checkBody(contract.body, request.body, contract.name);
    marking(request.audit as AuditMark | undefined, context);
    return { status: 200, body: await handler(body as never, context) };
  });
}

type Answering = (request: OperationRequest, context: RequestContext) => Promise<OperationReply>;

function guarded(name: string, tools: BindingTools, answering: Answering): OperationHandler {
  return async (request) => {
    const begun = performance.now();
    const measure = (outcome: string): void =>
      tools.metrics.operation(name, outcome, (performance.now() - begun) / 1000);
    try {
      if (tools.clock.now() >= request.deadline)
        throw new Refused('SERVICE_UNAVAILABLE', 'The request came after its deadline.');
      const appended: RecordedEvent[] = [];
      const marks: EventMark[] = [];
      const { status, body, headers, state } = await answering(request, contextOf(request, appended, marks, tools));
      if (appended.length > 0) marks.push(...marksOf(tools.schema, tools.publish, appended));
      const raised = marks.length === 0 ? undefined : marks;
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
      throw refused;
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
    deadline: request.deadline,
    resourceId: request.resourceId,
    repeated: request.repeated ?? false,
    ip: request.ip,
    userAgent: request.userAgent,
    piece: request.piece,
    appended: (events) => {
      appended.push(...events);
      em?.clear();
    },
    raised: (named) => void marks.push(...named),
    em: () => (em ??= tools.em(request.caller?.organizationId)),
  };
}

/** Nothing of an unknown error leaves the service; the log has it under the request's id. */
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
