import { check, type Operation, type OperationReply } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { KeptAnswer } from '../idempotency/sealed-answer.ts';

export interface ReplyOptions {
  readonly clock: Clock;
  /** In tests: an owner whose answer is not what its contract says fails loudly. */
  readonly checked: boolean;
}

/** Puts an owner's reply into the form of the contract: envelope, bare, or no body. */
export function answerOf(operation: Operation, reply: OperationReply, { clock, checked }: ReplyOptions): KeptAnswer {
  const contract = operation.answers[reply.status];
  if (checked) checkReply(operation, reply);
  const headers = reply.headers ?? {};
  if (contract?.body === undefined) return { status: reply.status, headers };
  const body =
    contract.envelope === 'data'
      ? { success: true, data: reply.body, meta: { timestamp: new Date(clock.now()).toISOString() } }
      : reply.body;
  return { status: reply.status, headers, json: JSON.stringify(body) };
}

function checkReply(operation: Operation, { status, body }: OperationReply): void {
  const contract = operation.answers[status];
  const wrong = (what: string): Refused =>
    new Refused('INTERNAL_ERROR', `${operation.name} answered ${status}, ${what}`);
  if (contract === undefined) throw wrong('which its contract does not name.');
  if (contract.body === undefined) {
    if (body !== undefined) throw wrong('with a body where its contract has none.');
    return;
  }
  const faults = check(contract.body, structuredClone(body), 'answer');
  if (faults.length > 0)
    throw wrong(`against its contract: ${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}`);
}
