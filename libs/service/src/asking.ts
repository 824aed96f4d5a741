import type { InternalOperation, OperationRequest } from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { markHandedOn } from './auditing.ts';
import type { BindingTools } from './bindings.ts';
import { internalHandler } from './bindings.ts';
import { heldRequest, usualHoldMs } from './held-request.ts';
import type { AskOptions, ServiceTools } from './module.ts';
import type { Ports } from './ports.ts';

const usualTimeoutMs = 10_000;

/** The part of a service's tools that reaches other services. */
export function askingTools(
  ports: Ports,
  binding: () => BindingTools,
): Pick<ServiceTools<unknown>, 'ask' | 'serveRoute'> {
  const { operations } = ports;
  return {
    ask: async (contract, body, options = {}) => {
      const { route } = options;
      const { clock } = binding();
      const audit = markHandedOn(options.raised);
      const request = { ...requestOf(contract, body, options, clock.now()), ...(audit && { audit }) };
      const holdMs = options.holdMs ?? ports.holdMs ?? usualHoldMs;
      const reply = await (route === undefined
        ? operations.request(contract.name, request)
        : heldRequest(operations, contract.name, request, { route, holdMs, clock }));
      if (reply.raised !== undefined) options.raised?.(reply.raised);
      return reply.body as never;
    },
    serveRoute: (contract, route, handler) => {
      return operations.serve(contract.name, internalHandler({ row: 'internal', contract, handler }, binding()), route);
    },
  };
}

function requestOf(contract: InternalOperation, body: unknown, options: AskOptions, now: number): OperationRequest {
  const resourceId = v7();
  const { traceparent, caller } = options;
  return {
    requestId: options.requestId ?? resourceId,
    resourceId,
    params: {},
    query: {},
    body,
    deadline: options.deadline ?? now + (options.timeoutMs ?? contract.timeoutMs ?? usualTimeoutMs),
    ...(traceparent !== undefined && { traceparent }),
    ...(caller !== undefined && { caller }),
  };
}
