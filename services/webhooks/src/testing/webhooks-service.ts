import {
  CreateWebhook,
  DescribeProfile,
  ListIntegrations,
  ListWebhookDeliveries,
  MessageSent,
  MessageStatusChanged,
  type BodyOf,
  type Caller,
  type EventEnvelope,
  type Webhook,
  type WebhookDelivery,
} from '@messaging-gateway/contracts';
import { testService, type TestService, type TestServiceOptions } from '@messaging-gateway/service/testing';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import { webhooks, type WebhooksSettings } from '../index.ts';

export const usual: WebhooksSettings = {
  isAlone: false,
  timeoutMs: 30_000,
  retryAttempts: 5,
  retryDelayMs: 30_000,
  allowPrivateTargets: true,
  disableAfterHours: 72,
  publicUrl: undefined,
  eventRetentionDays: 7,
  concurrency: 10,
};

/** Webhooks on a real PostgreSQL; every profile exists. */
export const testWebhooks = (
  settings: Partial<WebhooksSettings> = {},
  several: Pick<TestServiceOptions<WebhooksSettings>, 'replicas' | 'division'> = {},
): Promise<TestService> =>
  testService(webhooks, {
    ...several,
    settings: { ...usual, ...settings },
    others: async (fake) => {
      await fake(DescribeProfile, ({ profileId }) => ({ profileId, status: 'connected' as const }));
      await fake(ListIntegrations, () => ({ organizationIds: [], next: null }));
    },
  });

export async function makeWebhook(
  service: TestService,
  caller: Caller,
  body: Partial<BodyOf<typeof CreateWebhook>> & { url: string },
): Promise<Static<typeof Webhook>> {
  const { body: made } = await service.call(CreateWebhook, { caller, body: { events: ['*'], ...body } });
  return made as Static<typeof Webhook>;
}

/** Tells that a message was sent. Resolves once webhooks has taken it in. */
export function tellSent(
  service: TestService,
  { organizationId }: Pick<Caller, 'organizationId'>,
  profileId = v7(),
): Promise<EventEnvelope> {
  const data = {
    messageId: v7(),
    networkMessageId: '3EB0',
    to: '4915112345678@c.us',
    type: 'text',
    conversationId: v7(),
    origin: 'api',
  } as const;
  return service.emit(MessageSent, data, { organizationId, profileId });
}

export function tellStatus(
  service: TestService,
  { organizationId }: Pick<Caller, 'organizationId'>,
  profileId = v7(),
): Promise<EventEnvelope> {
  const data = {
    messageId: v7(),
    networkMessageId: '3EB0',
    to: '4915112345678@c.us',
    type: 'text',
    conversationId: v7(),
    origin: 'api',
    status: 'read',
    previousStatus: 'sent',
  } as const;
  return service.emit(MessageStatusChanged, data, { organizationId, profileId });
}

/** Tells so many, one after the other, so that their order is known. */
export async function tellMany(service: TestService, caller: Caller, count: number): Promise<EventEnvelope[]> {
  const told: EventEnvelope[] = [];
  for (let n = 0; n < count; n++) told.push(await tellSent(service, caller));
  return told;
}

export async function deliveriesOf(
  service: TestService,
  caller: Caller,
  id: string,
  query: Record<string, unknown> = {},
): Promise<Static<typeof WebhookDelivery>[]> {
  const { body } = await service.call(ListWebhookDeliveries, { caller, params: { id }, query });
  return (body as { items: Static<typeof WebhookDelivery>[] }).items;
}

/** Looks again until something holds. */
export async function eventually<T>(
  look: () => Promise<T>,
  holds: (found: T) => boolean,
  patienceMs = 120_000,
): Promise<T> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (holds(found)) return found;
    if (Date.now() > until) throw new Error(`It never came to hold; last: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Moves the clock on step by step until something holds. */
export async function advanceUntil(
  service: TestService,
  stepMs: number,
  holds: () => Promise<boolean>,
  patienceMs = 120_000,
): Promise<void> {
  const until = Date.now() + patienceMs;
  do {
    // What is under way comes to its end before the clock moves on.
    await new Promise((resolve) => setTimeout(resolve, 60));
    if (await holds()) return;
    service.clock.advance(stepMs);
  } while (Date.now() < until);
  throw new Error('It did not come to hold.');
}
