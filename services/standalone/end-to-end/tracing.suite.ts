import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkProfile, register, startWebhookReceiver } from '@messaging-gateway/testing';
import type { LinkedProfile, Tenant, WebhookReceiver } from '@messaging-gateway/testing';
import { lineageOf, type CollectedSpan, type TraceCollector } from '@messaging-gateway/tracing/testing';
import type { World } from './world.ts';

const contact = '4915187654321';
const text = 'A text that no trace may show';

/** Spans of a message, as a collector gets them. */
export function tracing(at: () => World, collectorAt: () => TraceCollector): void {
  describe('a traced message', () => {
    let collector: TraceCollector;
    let world: World;
    let tenant: Tenant;
    let profile: LinkedProfile;
    let receiver: WebhookReceiver;

    beforeAll(async () => {
      [world, collector] = [at(), collectorAt()];
      tenant = await register(world);
      receiver = await startWebhookReceiver('a secret of the receiver');
      await tenant.call('POST', '/webhooks', { url: receiver.url, secret: 'a secret of the receiver', events: ['*'] });
      profile = await linkProfile(world, tenant, '4915112345679');
    }, 600_000);

    afterAll(() => receiver.stop());

    const send = (traceparent: string) =>
      tenant.call('POST', '/messages/text', { profileId: profile.profileId, to: `+${contact}`, text }, { traceparent });

    it('is one trace from the request to the webhook, which goes on with the trace of the client', async () => {
      const traceId = randomBytes(16).toString('hex');
      const clientSpan = randomBytes(8).toString('hex');
      expect((await send(`00-${traceId}-${clientSpan}-01`)).status).toBe(200);
      const told = await receiver.waitFor(
        ({ event, headers }) => event === 'message.sent' && String(headers['traceparent']).includes(traceId),
      );
      const isAttempt = ({ spanId }: CollectedSpan): boolean => String(told.headers['traceparent']).includes(spanId);
      const toNetwork = (found: readonly CollectedSpan[]): string[] =>
        lineageOf(
          found,
          found.find(({ name }) => name === 'send to network'),
        );
      const spans = await collector.trace(traceId, (found) =>
        [lineageOf(found, found.find(isAttempt)), toNetwork(found)].every(
          ([first]) => first === 'gateway: POST /api/v1/messages/text',
        ),
      );
      expect(lineageOf(spans, spans.find(isAttempt))).toEqual([
        'gateway: POST /api/v1/messages/text',
        'gateway: ask SendText',
        'outbound: answer SendText',
        'outbound: publish message.sent',
        'webhooks: process message.sent',
        'webhooks: POST webhook',
      ]);
      expect(spans.find(({ name }) => name.startsWith('POST /api'))?.parentSpanId).toBe(clientSpan);
      expect(toNetwork(spans).slice(-4)).toEqual([
        'outbound: answer SendText',
        'outbound: ask DeliverMessage',
        'sessions: answer DeliverMessage',
        'sessions: send to network',
      ]);
      for (const { raw } of collector.spans)
        for (const secret of [text, contact, profile.phone, tenant.token, 'correct horse'])
          expect(raw).not.toContain(secret);
    }, 600_000);

    it('leaves no trace when the client does not record it', async () => {
      const traceId = randomBytes(16).toString('hex');
      await send(`00-${traceId}-${'b'.repeat(16)}-00`);
      const next = randomBytes(16).toString('hex');
      await send(`00-${next}-${'b'.repeat(16)}-01`);
      await collector.trace(next, (found) => found.some(({ name }) => name === 'POST webhook'));
      expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    }, 600_000);
  });
}
