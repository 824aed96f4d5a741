import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Caller } from '@messaging-gateway/contracts';
import type { TestService } from '@messaging-gateway/service/testing';
import type { WebhooksSettings } from '../index.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { deliveriesOf, testWebhooks } from './webhooks-service.ts';

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** Shared by the tests of a file. */
export interface WebhooksTest {
  readonly service: TestService;
  /** A customer's endpoint, which ends with the test. */
  receiver(): Promise<Receiver>;
  /** Of a webhook's deliveries, the newest event first. */
  statuses(caller: Caller, webhookId: string): Promise<string[]>;
}

/** One service for the tests of a file. Call it at the top: it registers what is done before and after them. */
export function webhooksTest(settings: Partial<WebhooksSettings> = {}): WebhooksTest {
  let service: TestService | undefined;
  const running = (): TestService => {
    if (service === undefined) throw new Error('The service runs within tests only.');
    return service;
  };
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    service = await testWebhooks(settings);
  });
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((one) => one.stop()));
  });
  afterAll(() => running().stop());
  return {
    get service() {
      return running();
    },
    receiver: async () => {
      const started = await startReceiver();
      receivers.push(started);
      return started;
    },
    statuses: async (caller, webhookId) =>
      (await deliveriesOf(running(), caller, webhookId, { limit: 200 })).map(({ status }) => status),
  };
}
