import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConfigureAiHook,
  ConfigureWebhookReply,
  CreateFlow,
  GetAiHook,
  GetAutomationRun,
  GetWebhookReply,
  ListAutomationRuns,
  PreviousMessages,
} from '@messaging-gateway/contracts';
import { v7 } from 'uuid';
import { automationTest, type AutomationTest } from '../testing/automation-test.ts';

interface Asked {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: { readonly [field: string]: unknown; readonly data: { readonly body: string; readonly from: string } };
}
type Answer = { readonly status?: number; readonly text?: string; readonly hangs?: true };

let test: AutomationTest;
let server: Server;
let url = '';
let asked: Asked[] = [];
let answer: (count: number) => Answer = () => ({});
let profileId = '';
/** What the inbox tells that was said before. */
let said: readonly { readonly content: string; readonly messageId?: string }[] = [];

beforeAll(async () => {
  test = await automationTest({ allowPrivateTargets: true });
  await test.service.fake(PreviousMessages, () => ({
    messages: said.map((one) => ({ messageId: v7(), role: 'user' as const, ...one })),
  }));
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString();
      asked.push({ headers: request.headers, text, body: JSON.parse(text) as Asked['body'] });
      const { status = 200, text: answered = '', hangs } = answer(asked.length);
      if (hangs !== true) response.writeHead(status).end(answered);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ask?a=b`;
});
afterAll(async () => {
  await test.stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  answer = () => ({});
  profileId = v7();
  said = [{ content: 'Before' }];
  test.others.accepted.length = 0;
});

const tool = { name: 'order', description: 'Looks up', parameters: { type: 'object' }, url: 'https://x.example' };
const write = (text: string, given: object = {}) => test.receive(text, { profileId, ...given });
const replying = (value: object): void => {
  answer = () => ({ text: JSON.stringify(value) });
};

describe('the webhook action', () => {
  const flow = (given: object = {}) =>
    test.ask<{ id: string }>(CreateFlow, {
      body: {
        profileId,
        name: 'Orders',
        trigger: { type: 'keyword', value: ['order'] },
        actions: [
          { type: 'webhook', url, headers: { 'X-Shop': 'one' } },
          { type: 'send', message: { type: 'text', text: 'Thank you' } },
        ],
        secret: 'a secret',
        ...given,
      },
    });
  const lastRun = async (id: string) => {
    const { items } = await test.ask<{ items: { id: string }[] }>(ListAutomationRuns, { params: { id } });
    return test.ask<{ status: string; steps: { status: string; error?: { code: string } }[] }>(GetAutomationRun, {
      params: { id: items[0]?.id ?? '' },
    });
  };

  it('tells the URL, signed, and goes on', async () => {
    const { id } = await flow();
    const told = await write('My order, please');
    await test.rested();
    expect(test.others.texts).toEqual(['Thank you']);
    const [{ headers, body, text } = {} as Asked] = asked;
    expect(asked).toHaveLength(1);
    expect(headers).toMatchObject({ 'x-shop': 'one', 'webhook-id': body['id'], 'content-type': 'application/json' });
    expect(headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', 'a secret').update(text).digest('hex')}`,
    );
    expect(body).toMatchObject({ event: 'automation.action', flowId: id, profileId, match: 'order' });
    expect(body.data).toMatchObject({ id: told.id, body: 'My order, please', from: '4915112345678@c.us' });
    expect((await lastRun(id)).status).toBe('completed');
  });

  it('is tried three times with the same id and body; then the run goes on, and has failed', async () => {
    const { id } = await flow();
    answer = () => ({ status: 500 });
    await write('order');
    await test.passUntil(() => asked.length === 3, 100);
    await test.rested();
    expect(new Set(asked.map(({ text }) => text)).size).toBe(1);
    expect(new Set(asked.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(test.others.texts).toEqual(['Thank you']);
    expect(await lastRun(id)).toMatchObject({
      status: 'failed',
      steps: [{ status: 'failed', error: { code: 'HTTP_500' } }, { status: 'done' }],
    });
  });

  it('goes on after a restart between its attempts', async () => {
    const { id } = await flow();
    answer = (count) => ({ status: count === 1 ? 503 : 200 });
    await write('order');
    await test.passUntil(() => asked.length === 1, 20);
    await test.passUntil(async () => (await lastRun(id)).status === 'waiting', 20);
    await test.service.restart();
    await test.passUntil(() => test.others.accepted.length === 1, 100);
    expect(asked).toHaveLength(2);
  });
});

describe('webhook-reply', () => {
  const configure = (given: object = {}) => test.ask(ConfigureWebhookReply, { body: { profileId, url, ...given } });

  it('answers what nobody else has answered, in order', async () => {
    expect(await test.refusal(GetWebhookReply, { params: { profileId } })).toEqual(['NOT_FOUND']);
    expect(await configure({ secret: 'a secret' })).toMatchObject({ url, enabled: true, hasSecret: true });
    const replies = ['One', 'Two'].map((text) => ({ type: 'text', content: { text } }));
    replying({ replies });
    await write('Whatever');
    await test.rested();
    expect(test.others.texts).toEqual(['One', 'Two']);
    expect(asked[0]?.body).toMatchObject({ event: 'webhook-reply', flowId: null, runId: null, profileId });
    expect(asked[0]?.headers['x-service-signature']).toBeDefined();
  });

  it.each([
    ['nothing', ''],
    ['an empty object', '{}'],
    ['no JSON', '<html>'],
    ['an unknown type', '{"replies":[{"type":"song","content":{}}]}'],
    ['media as base64', '{"replies":[{"type":"image","content":{"base64":"AAAA"}}]}'],
    ['an empty text', '{"reply":""}'],
  ])('sends nothing when it is answered with %s', async (_, text) => {
    await configure();
    answer = () => ({ text });
    await write('Whatever');
    await test.rested();
    expect(asked).toHaveLength(1);
    expect(test.others.accepted).toEqual([]);
  });

  it('is asked once, and not when it is off', async () => {
    await configure();
    answer = () => ({ status: 500 });
    await write('Whatever');
    await test.rested();
    await configure({ enabled: false });
    await write('Whatever else');
    await test.rested();
    expect(asked).toHaveLength(1);
  });

  it('does not show its secret, keeps it, and forgets it for another host', async () => {
    await configure({ secret: 'a secret' });
    expect(await configure({ enabled: false })).toMatchObject({ hasSecret: true, enabled: false });
    const shown = await test.ask(GetWebhookReply, { params: { profileId } });
    expect(JSON.stringify(shown)).not.toContain('a secret');
    expect(await configure({ url: 'http://127.0.0.2:9/' })).toMatchObject({ hasSecret: false });
    const rows = await test.service.sql.query<{ definition: string }>('SELECT definition FROM answerers');
    expect(JSON.stringify(rows)).not.toContain('a secret');
  });

  it.each([
    ['no URL', { url: undefined }, 'body.url'],
    ['a URL of files', { url: 'file:///etc/passwd' }, 'body.url'],
    ['a metadata service', { url: 'http://169.254.169.254/' }, 'body.url'],
    ['a secret that is no base64', { secret: 'whsec_!' }, 'body.secret'],
    ['an empty secret', { secret: '' }, 'body.secret'],
  ])('is refused with %s', async (_, given, path) => {
    const body = { profileId, url, ...given };
    expect(await test.refusal(ConfigureWebhookReply, { body })).toEqual(['VALIDATION_ERROR', path]);
  });
});

describe('ai-hook', () => {
  const configure = (config: object, given: object = {}) =>
    test.ask(ConfigureAiHook, { body: { profileId, provider: 'custom', config, ...given } });

  it('asks a URL of ours, with what was said before', async () => {
    expect(await test.refusal(GetAiHook, { params: { profileId } })).toEqual(['NOT_FOUND']);
    await configure({ url, headers: { Authorization: 'Bearer very-secret' } });
    replying({ reply: 'Hello' });
    await write('Hi');
    await test.rested();
    expect(test.others.texts).toEqual(['Hello']);
    expect(asked[0]?.headers.authorization).toBe('Bearer very-secret');
    expect(asked[0]?.body).toMatchObject({
      event: 'ai-hook',
      previousMessages: [{ role: 'user', content: 'Before' }],
    });
  });

  it('answers messages that follow each other together', async () => {
    await configure({ url, debounceSeconds: 5, history: 0 });
    replying({ reply: 'Hello' });
    for (const text of ['Hi', 'there', 'you']) {
      const { id: messageId } = await write(text);
      if (text !== 'you') said = [...said, { content: text, messageId }];
      test.service.clock.advance(3_000);
    }
    expect(asked).toEqual([]);
    await test.passUntil(() => test.others.accepted.length === 1, 100);
    await test.rested();
    expect(asked.map(({ body }) => body.data.body)).toEqual(['you']);
    expect(asked[0]?.body['previousMessages']).toMatchObject([{ content: 'Hi' }, { content: 'there' }]);
    expect(test.others.texts).toEqual(['Hello']);
  });

  it('keeps its secrets to itself', async () => {
    const body = {
      profileId,
      provider: 'openai',
      config: { apiKey: 'sk-very-secret', model: 'small' },
      enabled: false,
    };
    const shown = await test.ask(ConfigureAiHook, { body });
    expect(shown).toMatchObject({ provider: 'openai', config: { model: 'small', hasApiKey: true }, enabled: false });
    expect(JSON.stringify(shown)).not.toContain('very-secret');
    const again = { profileId, provider: 'openai', config: { model: 'large' } };
    expect(await test.ask(ConfigureAiHook, { body: again })).toMatchObject({
      config: { hasApiKey: true },
      enabled: false,
    });
    const signed = { profileId, provider: 'openai', config: { secret: 'very-secret', ownTools: [tool] } };
    expect(await test.ask(ConfigureAiHook, { body: signed })).toMatchObject({ config: { hasSecret: true } });
    const moved = { ...signed, config: { ownTools: [{ ...tool, url: 'https://y.example' }] } };
    expect(await test.refusal(ConfigureAiHook, { body: moved })).toEqual(['VALIDATION_ERROR', 'body.config.secret']);
    const elsewhere = { profileId, provider: 'openai', config: { baseUrl: 'http://127.0.0.2:9/v1' } };
    expect(await test.ask(ConfigureAiHook, { body: elsewhere })).toMatchObject({ config: { hasApiKey: false } });
  });

  it.each([
    ['openai', { apiKey: 'sk-very-secret', secret: 'very-secret' }, { apiKey: null, secret: null }],
    ['custom', { headers: { authorization: 'very-secret' }, secret: 'very-secret' }, { headers: null, secret: null }],
  ])('loses single secrets of %s that are taken away', async (provider, secrets, none) => {
    const where = provider === 'custom' ? { url } : { model: 'small' };
    const configure = (config: object) =>
      test.ask(ConfigureAiHook, { body: { profileId, provider, config: { ...where, ...config } } });
    await configure(secrets);
    const [first = '', second = ''] = Object.keys(secrets);
    const hidden = (name: string) => `has${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    expect(await configure({ [first]: null })).toMatchObject({
      config: { [hidden(first)]: false, [hidden(second)]: true },
    });
    expect(await configure(none)).toMatchObject({ config: { [hidden(first)]: false, [hidden(second)]: false } });
    const rows = await test.service.sql.query('SELECT definition FROM answerers WHERE profile_id = $1', [profileId]);
    expect(JSON.stringify(rows)).not.toMatch(/"(apiKey|secret|headers)"/);
  });

  it.each([
    ['an unknown field', 'openai', { url: 'https://x.example' }, 'body.config'],
    ['no URL', 'custom', {}, 'body.config'],
    ['a metadata service', 'custom', { url: 'http://169.254.169.254/' }, 'body.config.url'],
    ['tools that nobody signs', 'openai', { ownTools: [tool] }, 'body.config.secret'],
    [
      'a guarded tool',
      'openai',
      { ownTools: [{ ...tool, url: 'http://169.254.169.254/' }] },
      'body.config.ownTools[0].url',
    ],
    ['too long a pause', 'custom', { url: 'https://x.example', debounceSeconds: 61 }, 'body.config.debounceSeconds'],
  ])('is refused with %s', async (_, provider, config, path) => {
    const [code, ...paths] = await test.refusal(ConfigureAiHook, { body: { profileId, provider, config } });
    expect(code).toBe('VALIDATION_ERROR');
    expect(paths.every((one) => one.startsWith(path))).toBe(true);
  });
});
