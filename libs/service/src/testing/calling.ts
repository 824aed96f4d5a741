import { check, type Caller, type EventMark, type Operation, type OperationReply } from '@messaging-gateway/contracts';
import { invalid, type OperationBus } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { v7 } from 'uuid';

export interface CallOptions<Body = unknown> {
  readonly caller?: Caller;
  readonly body?: Body;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Id of what a POST makes; default: a new one. */
  readonly resourceId?: string;
  readonly repeated?: boolean;
  readonly requestId?: string;
  /** Milliseconds from now; default: the contract's. */
  readonly timeoutMs?: number;
  readonly after?: readonly EventMark[];
}

/**
 * Calls an operation as the gateway does: the input is checked and defaults are filled in, and so is the answer.
 *
 * @throws Refused what the service threw, or VALIDATION_ERROR
 * @throws Error when the answer is not what the contract says
 */
export async function callAsGateway(
  bus: OperationBus,
  clock: Clock,
  contract: Operation,
  options: CallOptions,
): Promise<OperationReply> {
  const params = { ...options.params };
  const query = structuredClone({ ...options.query });
  const body = structuredClone(options.body);
  const faults = [
    ...(contract.params ? check(contract.params, params, 'params', true) : []),
    ...(contract.query ? check(contract.query, query, 'query', true) : []),
    ...(contract.body && !(body === undefined && contract.bodyOptional) ? check(contract.body, body, 'body') : []),
  ];
  if (faults.length > 0) throw invalid(faults);
  const reply = await bus.request(contract.name, {
    requestId: options.requestId ?? v7(),
    resourceId: options.resourceId ?? v7(),
    repeated: options.repeated ?? false,
    deadline: clock.now() + (options.timeoutMs ?? contract.timeoutMs ?? 30_000),
    params,
    query,
    body,
    ...(options.caller && { caller: options.caller }),
    ...(options.after && { after: options.after }),
  });
  assertAnswer(contract, reply);
  return reply;
}

function assertAnswer(contract: Operation, { status, body }: OperationReply): void {
  const promised = contract.answers[status];
  if (promised === undefined) throw new Error(`${contract.name} answered ${status}, which its contract does not know.`);
  const faults = promised.body === undefined ? [] : check(promised.body, structuredClone(body), 'answer');
  if (faults.length > 0)
    throw new Error(
      `The answer of ${contract.name} is not what its contract says: ${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}`,
    );
}
