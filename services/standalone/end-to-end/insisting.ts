import { randomUUID } from 'node:crypto';
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
