import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhook,
  ListWebhooks,
  RotateWebhookSecret,
  TestWebhook,
  UpdateWebhook,
  events,
  liveKinds,
  webhookEventKinds,
} from '@messaging-gateway/contracts';
import { catalogueCheck, schemaMatches, testCaller, type TestService } from '@messaging-gateway/service/testing';
import { v7 } from 'uuid';
import { webhooks } from './index.ts';
import { startReceiver } from './testing/receiver.ts';
import { deliveriesOf, makeWebhook, tellSent, testWebhooks } from './testing/webhooks-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await testWebhooks();
});
afterAll(() => service.stop());

describe('the service', () => {
  it('serves what its contracts promise', () => expect(catalogueCheck(service.definition)).toEqual([]));
  it('has migrations that agree with its entities', async () => expect(await schemaMatches(webhooks)).toBe(''));
  it('takes in every event that webhooks or live readers are told', () => {
    const kinds = service.definition.rows
      .filter(({ row }) => row === 'reaction')
      .map((row) => ('type' in row.contract ? row.contract.type : ''));
    const told = events.filter(({ visibility, live }) => visibility === 'public' || live === true);
    expect(told.filter(({ type }) => !kinds.includes(type))).toEqual([]);
    for (const { type, live } of told) expect(live === true ? liveKinds : webhookEventKinds).toContain(type);
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
      headers: { 'X-Own': '********' },
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
      () => service.call(GetWebhook, asked),
      () => service.call(DeleteWebhook, asked),
      () => service.call(TestWebhook, asked),
      () => service.call(UpdateWebhook, { ...asked, body: { enabled: false } }),
      () => service.call(RotateWebhookSecret, asked),
      () => deliveriesOf(service, stranger, id),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('names the fields that are wrong', async () => {
    const caller = testCaller();
    const faults = async (body: object): Promise<string[]> => {
      const refused = await service
        .call(CreateWebhook, { caller, body: { url: 'https://example.com/', events: ['*'], ...body } })
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

  it('never shows the values of its headers, which stay where only the name is given', async () => {
    const caller = testCaller();
    const customer = await startReceiver();
    const headers = { Authorization: 'Bearer x', 'X-Own': 'y' };
    const { id } = await makeWebhook(service, caller, { url: customer.url, headers });
    const change = (body: object) => service.call(UpdateWebhook, { caller, params: { id }, body });
    const { body: changed } = await change({ headers: { Authorization: '********', 'X-Own': 'z' } });
    expect(changed).toMatchObject({ headers: { Authorization: '********', 'X-Own': '********' } });
    await tellSent(service, caller);
    expect((await customer.count(1))[0]?.headers).toMatchObject({ authorization: 'Bearer x', 'x-own': 'z' });
    await customer.stop();
    const refused = (path: string) => ({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ path })] });
    await expect(change({ headers: { 'X-New': '********' } })).rejects.toMatchObject(refused('body.headers.X-New'));
    const elsewhere = 'https://elsewhere.example/';
    await expect(change({ url: elsewhere })).rejects.toMatchObject(refused('body.headers'));
    const given = { url: elsewhere, headers: { Authorization: '********' } };
    await expect(change(given)).rejects.toMatchObject(refused('body.headers.Authorization'));
    expect((await change({ url: elsewhere, headers: null })).body).not.toHaveProperty('headers');
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
      'SELECT e::text AS text FROM events e UNION ALL SELECT w::text FROM webhooks w',
    );
    const all = rows.map(({ text }) => text).join('\n');
    for (const hidden of ['very secret', 'Bearer hidden', 'token-in-url']) expect(all).not.toContain(hidden);
  });
});
