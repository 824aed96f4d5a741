import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Answer, type Tenant } from '@messaging-gateway/testing';

/**
 * Sends a text again and again until it is answered so. All tries have one Idempotency-Key: it arrives once, whatever
 * became of those before.
 */
export function insist(tenant: Tenant, status: number, body: object): Promise<Answer> {
  const key = { 'idempotency-key': randomUUID() };
  return eventually(async () => {
    const answer = await tenant.call('POST', '/messages/text', body, key);
    return answer.status === status ? answer : undefined;
  });
}

/** Answers that say nothing of the request. */
const passing = new Set([408, 429, 500, 502, 503, 504]);
/** Patience that ends only what is broken, milliseconds. */
const patienceMs = 600_000;

/** A tenant who asks again until there is an answer: for requests that may be carried out twice. */
export const patient = (tenant: Tenant): Tenant => ({
  ...tenant,
  call: async (...given) => {
    for (const until = Date.now() + patienceMs; ;) {
      const answer = await tenant.call<never>(...given).catch(() => undefined);
      if (answer !== undefined && !passing.has(answer.status)) return answer;
      if (Date.now() > until) throw new Error(`It was answered ${answer?.status} ${JSON.stringify(answer?.body)}`);
      await sleep(250);
    }
  },
});
