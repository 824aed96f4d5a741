import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhook,
  ListWebhooks,
  RotateWebhookSecret,
  TestWebhook,
  UpdateWebhook,
  events,
  webhookEventKinds,
} from '@messaging-gateway/contracts';
import { catalogueCheck, schemaMatches, testCaller, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { webhooks } from './index.ts';
import { startReceiver, type Received, type Receiver } from './testing/receiver.ts';
import {
  deliveriesOf,
  eventually,
  makeWebhook,
  tellSent,
  tellStatus,
  testWebhooks,
} from './testing/webhooks-service.ts';

let service: TestService;
const receivers: Receiver[] = [];
const receiver = async (): Promise<Receiver> => {
  const started = await startReceiver();
  receivers.push(started);
  return started;
};

beforeAll(async () => {
  service = await testWebhooks();
});
afterEach(() => Promise.all(receivers.splice(0).map((one) => one.stop())).then(() => undefined));
afterAll(() => service.stop());

const hmac = (key: string | Buffer, text: string | Buffer): Buffer => createHmac('sha256', key).update(text).digest();
const standard = ({ headers, raw }: Received, key: Buffer | string): string =>
  `v1,${hmac(key, `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw.toString()}`).toString('base64')}`;

describe('the service', () => {
  it('serves what its contracts promise', () => expect(catalogueCheck(service.definition)).toEqual([]));
  it('has migrations that agree with its entities', async () => expect(await schemaMatches(webhooks)).toBe(''));
  it('takes in every public event', () => {
    const kinds = service.definition.rows
      .filter(({ row }) => row === 'reaction')
      .map((row) => ('type' in row.contract ? row.contract.type : ''));
    const told = events.filter(({ visibility }) => visibility === 'public').map(({ type }) => type);
    expect(kinds.toSorted()).toEqual(told.toSorted());
    for (const kind of told) expect(webhookEventKinds).toContain(kind);
  });
});

describe('a webhook', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const caller = testCaller();
    const made = await makeWebhook(service, caller, {
      url: 'https://example.com/hook',
      secret: 'a secret',
      events: ['message.*'],
      headers: { 'X-Own': 'a' },
    });
    expect(made).toMatchObject({
      url: 'https://example.com/hook',
      events: ['message.*'],
      enabled: true,
      hasSecret: true,
      disabledReason: null,
      headers: { 'X-Own': 'a' },
    });
    expect(JSON.stringify(made)).not.toContain('a secret');
    const params = { id: made.id };
    expect((await service.call(GetWebhook, { caller, params })).body).toEqual(made);
    expect((await service.call(ListWebhooks, { caller })).body).toEqual({ items: [made], nextCursor: null, total: 1 });
    const { body: changed } = await service.call(UpdateWebhook, {
      caller,
      params,
      body: { enabled: false, secret: null, headers: null },
    });
    expect(changed).toMatchObject({ url: made.url, events: ['message.*'], enabled: false, hasSecret: false });
    expect(changed).not.toHaveProperty('headers');
    expect((await service.call(DeleteWebhook, { caller, params })).status).toBe(204);
    await expect(service.call(GetWebhook, { caller, params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await service.call(ListWebhooks, { caller })).body).toMatchObject({ items: [], total: 0 });
  });

  it('is made once, however often the request comes', async () => {
    const caller = testCaller();
    const request = { caller, resourceId: v7(), body: { url: 'https://example.com/', events: ['*'] } };
    const first = await service.call(CreateWebhook, request);
    expect((await service.call(CreateWebhook, { ...request, repeated: true })).body).toEqual(first.body);
    expect((await service.call(ListWebhooks, { caller })).body).toMatchObject({ total: 1 });
  });

  it('is listed in pages', async () => {
    const caller = testCaller();
    const made = [];
    for (let n = 0; n < 3; n++) made.push(await makeWebhook(service, caller, { url: `https://example.com/${n}` }));
    const first = (await service.call(ListWebhooks, { caller, query: { limit: 2 } })).body as {
      items: unknown[];
      nextCursor: string;
    };
    const second = (await service.call(ListWebhooks, { caller, query: { limit: 2, cursor: first.nextCursor } }))
      .body as typeof first;
    expect([...first.items, ...second.items]).toEqual(made);
    expect(second.nextCursor).toBeNull();
  });

  it('is invisible to another organization', async () => {
    const caller = testCaller();
    const { id } = await makeWebhook(service, caller, { url: 'https://example.com/' });
    const stranger = testCaller();
    const asked = { caller: stranger, params: { id } };
    for (const call of [
      service.call(GetWebhook, asked),
      service.call(DeleteWebhook, asked),
      service.call(TestWebhook, asked),
      service.call(UpdateWebhook, { ...asked, body: { enabled: false } }),
      service.call(RotateWebhookSecret, asked),
      deliveriesOf(service, stranger, id),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('names the fields that are wrong', async () => {
    const caller = testCaller();
    const faults = async (body: object): Promise<string[]> => {
      const refused = await service
        .call(CreateWebhook, { caller, body: { url: 'https://example.com/', events: ['*'], ...body } as never })
        .catch((error: unknown) => error);
      return (refused as { details: { path: string }[] }).details.map(({ path }) => path);
    };
    expect(await faults({ url: 'ftp://example.com/' })).toEqual(['body.url']);
    expect(await faults({ url: 'http://169.254.169.254/' })).toEqual(['body.url']);
    expect(await faults({ events: ['message.unheard-of'] })).toEqual(['body.events[0]']);
    expect(await faults({ events: [] })).toEqual(['body.events']);
    expect(
      await faults({
        secret: 'whsec_not base64!',
        headers: { 'Webhook-Id': 'x', 'X-Ok': 'a\r\nX-Injected: b', 'Content-Length': '1' },
      }),
    ).toEqual(['body.secret', 'body.headers.Webhook-Id', 'body.headers.X-Ok', 'body.headers.Content-Length']);
    expect(await faults({ unknown: 1 })).toEqual(['body.unknown']);
  });

  it('of a key limited to some profiles is limited to these', async () => {
    const profileId = v7();
    const owner = testCaller();
    const key = { ...owner, profileIds: [profileId] };
    await makeWebhook(service, owner, { url: 'https://example.com/all' });
    await expect(makeWebhook(service, key, { url: 'https://example.com/' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    const made = await makeWebhook(service, key, { url: 'https://example.com/', profileIds: [profileId] });
    expect((await service.call(ListWebhooks, { caller: key })).body).toMatchObject({ items: [made], total: 1 });
  });

  it('keeps nothing readable of its secrets in the tables', async () => {
    const caller = testCaller();
    await makeWebhook(service, caller, {
      url: 'https://example.com/token-in-url',
      secret: 'very secret',
      headers: { Authorization: 'Bearer hidden' },
    });
    const rows = await service.sql.query<{ text: string }>(
      'select e::text as text from events e union all select w::text from webhooks w',
    );
    const all = rows.map(({ text }) => text).join('\n');
    for (const hidden of ['very secret', 'Bearer hidden', 'token-in-url']) expect(all).not.toContain(hidden);
  });
});

describe('a delivery', () => {
  it('is signed so that a receiver can verify the raw bytes', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const profileId = v7();
    await makeWebhook(service, caller, {
      url: `${customer.url}?token=1`,
      secret: 'bench secret',
      headers: { 'X-Own': 'yes' },
    });
    const event = await tellSent(service, caller, profileId);
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
    expect(Number(got.headers['webhook-timestamp'])).toBeCloseTo(service.clock.now() / 1000, -1);
  });

  it('uses the base64 of a whsec_ secret for the standard signature and the whole secret for ours', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const key = Buffer.from('0123456789abcdef0123456789abcdef');
    const secret = `whsec_${key.toString('base64')}`;
    await makeWebhook(service, caller, { url: customer.url, secret });
    await tellSent(service, caller);
    const [got] = (await customer.count(1)) as [Received];
    expect(got.headers['webhook-signature']).toBe(standard(got, key));
    expect(got.headers['x-service-signature']).toBe(`sha256=${hmac(secret, got.raw).toString('hex')}`);
  });

  it('is not signed without a secret', async () => {
    const caller = testCaller();
    const customer = await receiver();
    await makeWebhook(service, caller, { url: customer.url });
    await tellSent(service, caller);
    const [got] = (await customer.count(1)) as [Received];
    expect(got.headers).not.toHaveProperty('x-service-signature');
    expect(got.headers).not.toHaveProperty('webhook-signature');
    expect(got.headers).toHaveProperty('webhook-id');
  });

  it('carries both signatures for a day after the secret was rotated', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const { id } = await makeWebhook(service, caller, { url: customer.url, secret: 'old' });
    const { secret } = (await service.call(RotateWebhookSecret, { caller, params: { id } })).body as { secret: string };
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const key = Buffer.from(secret.slice(6), 'base64');
    await tellSent(service, caller);
    const [first] = (await customer.count(1)) as [Received];
    expect(first.headers['webhook-signature']).toBe(`${standard(first, key)} ${standard(first, 'old')}`);
    expect(first.headers['x-service-signature']).toBe(`sha256=${hmac(secret, first.raw).toString('hex')}`);
    service.clock.advance(24 * 3_600_000 + 1000);
    await tellSent(service, caller);
    const [, second] = (await customer.count(2)) as [Received, Received];
    expect(second.headers['webhook-signature']).toBe(standard(second, key));
  });

  it('goes to the webhooks of its organization that ask for its kind and profile', async () => {
    const caller = testCaller();
    const profileId = v7();
    const all = await Promise.all([receiver(), receiver(), receiver(), receiver(), receiver(), receiver()]);
    const [everything, group, kind, other, profile, stranger] = all as [
      Receiver,
      Receiver,
      Receiver,
      Receiver,
      Receiver,
      Receiver,
    ];
    await makeWebhook(service, caller, { url: everything.url, events: ['*'] });
    await makeWebhook(service, caller, { url: group.url, events: ['message.*'] });
    await makeWebhook(service, caller, { url: kind.url, events: ['message.sent'] });
    await makeWebhook(service, caller, { url: other.url, events: ['connection.*', 'message.failed'] });
    await makeWebhook(service, caller, { url: profile.url, profileIds: [profileId] });
    await makeWebhook(service, testCaller(), { url: stranger.url });
    await tellSent(service, caller, profileId);
    await tellSent(service, caller);
    await tellStatus(service, caller, profileId);
    await Promise.all([everything.count(3), group.count(3), kind.count(2), profile.count(2)]);
    expect(all.map(({ received }) => received.length)).toEqual([3, 3, 2, 0, 2, 0]);
    expect(profile.received.map(({ body }) => body.profileId)).toEqual([profileId, profileId]);
  });

  it('is not made for a disabled or deleted webhook', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const { id } = await makeWebhook(service, caller, { url: customer.url, enabled: false });
    const gone = await makeWebhook(service, caller, { url: customer.url });
    await service.call(DeleteWebhook, { caller, params: { id: gone.id } });
    await tellSent(service, caller);
    await service.call(UpdateWebhook, { caller, params: { id }, body: { enabled: true } });
    await tellSent(service, caller);
    await customer.count(1);
    const listed = await eventually(
      () => deliveriesOf(service, caller, id),
      ([one]) => one?.status === 'delivered',
    );
    expect(listed).toHaveLength(1);
    expect(customer.received).toHaveLength(1);
  });
});

describe('a test event', () => {
  it('tells what came back', async () => {
    const caller = testCaller();
    const customer = await receiver();
    const { id } = await makeWebhook(service, caller, {
      url: customer.url,
      secret: 'a secret',
      events: ['message.sent'],
      enabled: false,
    });
    const test = async (): Promise<unknown> => (await service.call(TestWebhook, { caller, params: { id } })).body;
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
    expect(await deliveriesOf(service, caller, id)).toEqual([]);
  });
});
