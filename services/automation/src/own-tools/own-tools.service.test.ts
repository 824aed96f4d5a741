import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigureAiHook, CreateFlow, PreviousMessages, UpdateFlow } from '@messaging-gateway/contracts';
import { startAiProvider, type FakeAiProvider } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { automationTest, type AutomationTest } from '../testing/automation-test.ts';

interface Asked {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

let provider: FakeAiProvider;
let test: AutomationTest;
let server: Server;
let url = '';
let profileId = '';
let asked: Asked[] = [];
let answer: { status?: number; headers?: Record<string, string>; text?: string; cutOff?: true } = {};

beforeAll(async () => {
  provider = await startAiProvider();
  test = await automationTest({ aiBaseUrl: provider.baseUrl, aiModel: 'small', allowPrivateTargets: true });
  await test.service.fake(PreviousMessages, () => ({ messages: [] }));
  server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      asked.push({ headers: request.headers, text: Buffer.concat(pieces).toString() });
      const { status = 200, headers = {}, text = '', cutOff } = answer;
      if (cutOff === true) request.destroy();
      else response.writeHead(status, headers).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
});
afterAll(async () => {
  await test.stop();
  await provider.stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  profileId = v7();
  asked = [];
  answer = {};
  test.others.accepted.length = 0;
});

const byNumber = {
  type: 'object',
  properties: { number: { type: 'string', maxLength: 10 } },
  required: ['number'],
  additionalProperties: false,
};
const tool = (parameters: object = byNumber) => ({
  name: 'order_status',
  description: 'Tells where an order is.',
  parameters,
  url,
});
const flow = (parameters?: object) =>
  test.ask<{ id: string }>(CreateFlow, {
    body: {
      profileId,
      name: 'Orders',
      trigger: { type: 'keyword', value: ['order'] },
      actions: [{ type: 'ai_reply', ownTools: [tool(parameters)] }],
      secret: 'a secret',
    },
  });
/** A model that calls the tool so many times at each round, and then says what it was last told. */
const calling = (given: object, rounds = 1, name = 'order_status'): void => {
  let round = 0;
  provider.replyWith(({ messages = [] }) => {
    round += 1;
    return round > rounds
      ? `I was told: ${String(messages.at(-1)?.content)}`
      : { toolCalls: [{ name, arguments: given }] };
  });
};
const write = async (text = 'Where is my order?') => {
  const told = await test.receive(text, { profileId });
  await test.rested();
  return told;
};

describe("a tenant's own tool", () => {
  it('is asked by a signed request about whom is answered, and what it answers is told to the model', async () => {
    const { id } = await flow();
    answer = { text: '{"status":"sent"}' };
    calling({ number: 'A-1' });
    const told = await write();
    expect(test.others.texts).toEqual(['I was told: {"status":"sent"}']);
    expect(provider.asked.at(-1)?.body).toMatchObject({
      tools: [{ function: { name: 'order_status', description: 'Tells where an order is.' } }],
    });
    const [{ headers, text } = {} as Asked] = asked;
    const body = JSON.parse(text) as Record<string, unknown>;
    expect(asked).toHaveLength(1);
    expect(body).toMatchObject({
      id: headers['webhook-id'],
      event: 'ai.tool',
      flowId: id,
      profileId,
      data: { id: told.id, from: '4915112345678@c.us' },
      contact: { phone: '4915112345678' },
      tool: 'order_status',
      arguments: { number: 'A-1' },
    });
    expect(headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', 'a secret').update(text).digest('hex')}`,
    );
  });

  it.each([
    ['left out', { number: 'A-1' }, { number: 'A-1' }],
    ['null', { number: 'A-1', note: null, place: { city: null, zip: '1' } }, { number: 'A-1', place: { zip: '1' } }],
  ])('is asked when optional arguments are %s', async (_, given, sent) => {
    await flow({
      type: 'object',
      properties: {
        number: { type: 'string' },
        note: { type: 'string' },
        place: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } },
      },
      required: ['number'],
      additionalProperties: false,
    });
    calling(given);
    await write();
    expect(asked.map(({ text }) => (JSON.parse(text) as { arguments: object }).arguments)).toEqual([sent]);
  });

  it.each([
    ['others', { number: 'A-1', phone: '4915100000000' }],
    ['none', {}],
    ['another type', { number: 1 }],
    ['too long ones', { number: 'x'.repeat(11) }],
  ])('is not asked with arguments that do not fit: %s', async (_, given) => {
    await flow();
    calling(given);
    await write();
    expect(asked).toEqual([]);
    expect(test.others.texts).toEqual([expect.stringMatching(/^I was told: It failed: /)]);
  });

  it.each([
    ['refuses', { status: 404 }, 'HTTP_404'],
    ['leads elsewhere', { status: 302, headers: { location: 'http://169.254.169.254/' } }, 'HTTP_302'],
    ['answers without an end', { text: 'x'.repeat(1_100_000) }, 'TOO_LARGE'],
    ['breaks off', { cutOff: true as const }, 'out of order'],
  ])('that %s is told to the model, and the person is answered', async (_, bad, word) => {
    await flow();
    answer = bad;
    calling({ number: 'A-1' });
    await write();
    expect(asked).toHaveLength(1);
    expect(test.others.texts).toEqual([expect.stringContaining(word)]);
  });

  it('tells the model no more than 16,384 characters', async () => {
    await flow();
    answer = { text: 'x'.repeat(20_000) };
    calling({ number: 'A-1' });
    await write();
    expect(test.others.texts.map((text) => text.length)).toEqual(['I was told: '.length + 16_384]);
  });

  it('is asked in three rounds at most', async () => {
    await flow();
    calling({ number: 'A-1' }, 10);
    await write();
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    expect(test.others.accepted).toEqual([]);
  });

  it('belongs to ai-hook too, and its secret is shown nowhere', async () => {
    const config = { ownTools: [tool()], secret: 'whsec_c2VjcmV0LW9mLXRvb2xz' };
    const shown = await test.ask(ConfigureAiHook, { body: { profileId, provider: 'openai', config } });
    expect(shown).toMatchObject({ config: { ownTools: [tool()], hasSecret: true } });
    answer = { text: 'on its way' };
    calling({ number: 'A-2' });
    await write('Good morning');
    expect(test.others.texts).toEqual(['I was told: on its way']);
    expect(asked[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    const rows = await test.service.sql.query<{ text: string }>('SELECT definition AS text FROM answerers');
    expect(JSON.stringify([shown, rows])).not.toContain('c2VjcmV0LW9mLXRvb2xz');
  });

  it('keeps the secret of its flow needed', async () => {
    const { id } = await flow();
    const change = (body: object) => test.refusal(UpdateFlow, { params: { id }, body });
    expect(await change({ secret: null })).toEqual(['VALIDATION_ERROR', 'body.secret']);
    await test.ask(UpdateFlow, {
      params: { id },
      body: { secret: null, actions: [{ type: 'ai_reply' }] },
    });
    expect(await change({ actions: [{ type: 'ai_reply', ownTools: [tool()] }] })).toEqual([
      'VALIDATION_ERROR',
      'body.secret',
    ]);
  });

  // The last one, as the server is one.
  it('that fails again and again is left alone for some seconds', async () => {
    await flow();
    answer = { status: 500 };
    calling({ number: 'A-1' }, 100_000);
    for (let times = 0; times < 6; times += 1) await write(`order ${times}`);
    expect(asked.length).toBeLessThan(18);
  });
});
