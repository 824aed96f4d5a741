import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DeleteWebhook, RotateWebhookSecret, TestWebhook, UpdateWebhook } from '@messaging-gateway/contracts';
import { testCaller } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import type { Received } from './testing/receiver.ts';
import { deliveriesOf, eventually, makeWebhook, tellSent, tellStatus } from './testing/webhooks-service.ts';
import { webhooksTest } from './testing/webhooks-test.ts';

const here = webhooksTest();

const hmac = (key: string | Buffer, text: string | Buffer): Buffer => createHmac('sha256', key).update(text).digest();
const standard = ({ headers, raw }: Received, key: Buffer | string): string =>
  `v1,${hmac(key, `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${raw.toString()}`).toString('base64')}`;

describe('a delivery', () => {
  it('is signed so that a receiver can verify the raw bytes', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    const profileId = v7();
    await makeWebhook(here.service, caller, {
      url: `${customer.url}?token=1`,
      secret: 'bench secret',
      headers: { 'X-Own': 'yes' },
    });
    const begun = Math.floor(here.service.clock.now() / 1000);
    const event = await tellSent(here.service, caller, profileId);
    const [got] = (await customer.count(1)) as [Received];
    expect(got.body).toEqual({
      id: event.id,
      event: 'message.sent',
      timestamp: event.time,
      profileId,
      data: event.data,
    });
    expect(Object.keys(got.body)).toEqual(['id', 'event', 'timestamp', 'profileId', 'data']);
    expect(got.path).toBe('/hook?token=1');
    expect(got.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': event.id,
      'x-own': 'yes',
      'x-service-sequence': event.sequence,
    });
    expect(got.headers['x-service-signature']).toBe(`sha256=${hmac('bench secret', got.raw).toString('hex')}`);
    expect(got.headers['webhook-signature']).toBe(standard(got, 'bench secret'));
    const timestamp = Number(got.headers['webhook-timestamp']);
    expect(timestamp).toBeGreaterThanOrEqual(begun);
    expect(timestamp).toBeLessThanOrEqual(here.service.clock.now() / 1000);
  });

  it('uses the base64 of a whsec_ secret for the standard signature and the whole secret for ours', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    const secret = `whsec_${key.toString('base64')}`;
    await makeWebhook(here.service, caller, { url: customer.url, secret });
    await tellSent(here.service, caller);
    const [got] = (await customer.count(1)) as [Received];
    expect(got.headers['webhook-signature']).toBe(standard(got, key));
    expect(got.headers['x-service-signature']).toBe(`sha256=${hmac(secret, got.raw).toString('hex')}`);
  });

  it('is not signed without a secret', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    await makeWebhook(here.service, caller, { url: customer.url });
    await tellSent(here.service, caller);
    const [got] = (await customer.count(1)) as [Received];
    expect(got.headers).not.toHaveProperty('x-service-signature');
    expect(got.headers).not.toHaveProperty('webhook-signature');
    expect(got.headers).toHaveProperty('webhook-id');
  });

  it('carries both signatures for a day after the secret was rotated', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    const { id } = await makeWebhook(here.service, caller, { url: customer.url, secret: 'old' });
    const { secret } = (await here.service.call(RotateWebhookSecret, { caller, params: { id } })).body as {
      secret: string;
    };
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const key = Buffer.from(secret.slice(6), 'base64');
    await tellSent(here.service, caller);
    const [first] = (await customer.count(1)) as [Received];
    expect(first.headers['webhook-signature']).toBe(`${standard(first, key)} ${standard(first, 'old')}`);
    expect(first.headers['x-service-signature']).toBe(`sha256=${hmac(secret, first.raw).toString('hex')}`);
    here.service.clock.advance(24 * 3_600_000 + 1000);
    await tellSent(here.service, caller);
    const [, second] = (await customer.count(2)) as [Received, Received];
    expect(second.headers['webhook-signature']).toBe(standard(second, key));
  });

  it.each([{}, { secret: 'given' }])(
    'carries them also when the rotation (%j) was asked for twice, its answer being lost',
    async (body) => {
      const caller = testCaller();
      const customer = await here.receiver();
      const { id } = await makeWebhook(here.service, caller, { url: customer.url, secret: 'old' });
      const asked = { caller, params: { id }, body, resourceId: v7() };
      const first = await here.service.call(RotateWebhookSecret, asked);
      const repeated = await here.service.call(RotateWebhookSecret, { ...asked, repeated: true });
      expect(repeated.body).toEqual(first.body);
      await tellSent(here.service, caller);
      const [got] = (await customer.count(1)) as [Received];
      expect(String(got.headers['webhook-signature']).split(' ')[1]).toBe(standard(got, 'old'));
    },
  );

  it('goes to the webhooks of its organization that ask for its kind and profile', async () => {
    const caller = testCaller();
    const profileId = v7();
    const everything = await here.receiver();
    const group = await here.receiver();
    const kind = await here.receiver();
    const other = await here.receiver();
    const profile = await here.receiver();
    const stranger = await here.receiver();
    const all = [everything, group, kind, other, profile, stranger];
    await makeWebhook(here.service, caller, { url: everything.url, events: ['*'] });
    await makeWebhook(here.service, caller, { url: group.url, events: ['message.*'] });
    await makeWebhook(here.service, caller, { url: kind.url, events: ['message.sent'] });
    await makeWebhook(here.service, caller, { url: other.url, events: ['connection.*', 'message.failed'] });
    await makeWebhook(here.service, caller, { url: profile.url, profileIds: [profileId] });
    await makeWebhook(here.service, testCaller(), { url: stranger.url });
    await tellSent(here.service, caller, profileId);
    await tellSent(here.service, caller);
    await tellStatus(here.service, caller, profileId);
    await Promise.all([everything.count(3), group.count(3), kind.count(2), profile.count(2)]);
    expect(all.map(({ received }) => received.length)).toEqual([3, 3, 2, 0, 2, 0]);
    expect(profile.received.map(({ body }) => body.profileId)).toEqual([profileId, profileId]);
  });

  it('is not made for a disabled or deleted webhook', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    const { id } = await makeWebhook(here.service, caller, { url: customer.url, enabled: false });
    const gone = await makeWebhook(here.service, caller, { url: customer.url });
    await here.service.call(DeleteWebhook, { caller, params: { id: gone.id } });
    await tellSent(here.service, caller);
    await here.service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: true } });
    await tellSent(here.service, caller);
    await customer.count(1);
    const listed = await eventually(
      () => deliveriesOf(here.service, caller, id),
      ([one]) => one?.status === 'delivered',
    );
    expect(listed).toHaveLength(1);
    expect(customer.received).toHaveLength(1);
  });
});

describe('a test event', () => {
  it('tells what came back', async () => {
    const caller = testCaller();
    const customer = await here.receiver();
    const { id } = await makeWebhook(here.service, caller, {
      url: customer.url,
      secret: 'a secret',
      events: ['message.sent'],
      enabled: false,
    });
    const test = async (): Promise<unknown> => (await here.service.call(TestWebhook, { caller, params: { id } })).body;
    expect(await test()).toEqual({ delivered: true, statusCode: 200, durationMs: expect.any(Number) });
    const [got] = customer.received as [Received];
    expect(got.body).toMatchObject({ event: 'test', data: { message: expect.any(String) } });
    expect(got.headers['x-service-signature']).toBe(`sha256=${hmac('a secret', got.raw).toString('hex')}`);
    customer.behave(503);
    expect(await test()).toMatchObject({ delivered: false, statusCode: 503, error: 'HTTP_503' });
    customer.behave((response) => response.writeHead(302, { location: customer.url }).end());
    expect(await test()).toMatchObject({ delivered: false, statusCode: 302, error: 'HTTP_302' });
    await customer.stop();
    expect(await test()).toMatchObject({ delivered: false, statusCode: null, error: 'ECONNREFUSED' });
    expect(await deliveriesOf(here.service, caller, id)).toEqual([]);
  });
});
