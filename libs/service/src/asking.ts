import type { InternalOperation, OperationRequest, OperationReply } from '@messaging-gateway/contracts';
import { isUnseen, type OperationBus } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { v7 } from 'uuid';
import { markHandedOn } from './auditing.ts';
import { type BindingTools, internalHandler } from './bindings.ts';
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

/** How long a routed request is held while its holder changes, milliseconds (docs/decisions/0293). */
const usualHoldMs = 10_000;
/** Until it is tried again, milliseconds. */
const againMs = 100;

export interface Holding {
  readonly route: string;
  /** Milliseconds; 0 asks once. */
  readonly holdMs: number;
  readonly clock: Clock;
}

/**
 * Asks the holder of a route. While nobody serves the route, because its holder stops and the next one takes over, the
 * request is held instead of refused: nobody has seen it, so asking again does nothing twice.
 *
 * @throws Refused what the holder threw; `unseen` when nobody has come up in time
 * @see docs/decisions/0293-requests-are-held-by-those-who-ask.md
 */
export async function heldRequest(
  operations: OperationBus,
  name: string,
  request: OperationRequest,
  { route, holdMs, clock }: Holding,
): Promise<OperationReply> {
  const until = Math.min(clock.now() + holdMs, request.deadline);
  for (;;) {
    try {
      return await operations.request(name, request, { route });
    } catch (error) {
      if (!isUnseen(error) || clock.now() + againMs >= until) throw error;
      await clock.sleep(againMs);
    }
  }
}
