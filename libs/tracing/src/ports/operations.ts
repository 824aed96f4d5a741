import type { OperationRequest } from '@messaging-gateway/contracts';
import type { OperationBus } from '@messaging-gateway/messaging';
import { inSpan, type Facts, type Spans } from '../spans.ts';

/** Requests in spans: one of who asks, one of who answers, whatever carries them. */
export const tracedOperations = (bus: OperationBus, spans: Spans): OperationBus => ({
  ...bus,
  request: (operation, request, options) =>
    inSpan(
      spans,
      `ask ${operation}`,
      { kind: 'client', parent: request.traceparent, facts: factsOf(operation, request) },
      (traceparent) => bus.request(operation, under(request, traceparent), options),
    ),
  serve: (operation, handler, route) =>
    bus.serve(
      operation,
      (request) =>
        inSpan(
          spans,
          `answer ${operation}`,
          { kind: 'server', parent: request.traceparent, facts: factsOf(operation, request) },
          (traceparent) => handler(under(request, traceparent)),
        ),
      route,
    ),
});

const factsOf = (operation: string, { requestId, caller }: OperationRequest): Facts => ({
  'rpc.system': 'messaging-gateway',
  'rpc.method': operation,
  'request.id': requestId,
  'organization.id': caller?.organizationId,
});

/** A message as caused by another span. */
export const under = <T extends { readonly traceparent?: string }>(message: T, traceparent: string | undefined): T =>
  traceparent === undefined || traceparent === message.traceparent ? message : { ...message, traceparent };
