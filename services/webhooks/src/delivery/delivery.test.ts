import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@messaging-gateway/runtime';
import { webhooksSettings } from '../config.ts';
import { readSettings } from '@messaging-gateway/runtime';
import { noSpans } from '@messaging-gateway/tracing';
import { startReceiver, type Receiver } from '../testing/receiver.ts';
import type { ActiveWebhook } from '../webhook/webhook.ts';
import { verdictOn } from './attempt.ts';
import { Breaker } from './receiver.ts';
import { Sender } from './sender.ts';
import { isSecret, signatureHeaders } from '@messaging-gateway/webhook-signing';

describe('a signature', () => {
  it('is the one of the Standard Webhooks example', () => {
    const body = Buffer.from('{"test": 2432232314}');
    const headers = signatureHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body },
      { current: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    );
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('names the newer secret first', () => {
    const message = { id: 'id', timestamp: 1, body: Buffer.from('{}') };
    const headers = signatureHeaders(message, { current: 'new', previous: 'old' });
    const [first, second] = ['new', 'old'].map(
      (secret) => signatureHeaders(message, { current: secret })['webhook-signature'],
    );
    expect(headers['webhook-signature']).toBe(`${first} ${second}`);
    expect(headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', 'new').update('{}').digest('hex')}`);
  });

  it.each([
    ['free text', true],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true],
    ['whsec_YQ==', true],
    ['whsec_YQ', true],
    ['whsec_', false],
    ['whsec_a', false],
    ['whsec_a b c d', false],
  ])('has keys of the right form: %s', (secret, fits) => expect(isSecret(secret)).toBe(fits));
});

describe('after an attempt', () => {
  const rules = { retryAttempts: 5, retryDelayMs: 30_000 };
  const answered = (statusCode: number) => ({ outcome: 'answered', statusCode }) as const;
  const unreachable = { outcome: 'unreachable', statusCode: undefined } as const;

  it('a 2xx is the end', () =>
    expect(verdictOn({ outcome: 'delivered', statusCode: 204 }, 1, 0, rules)).toEqual({ status: 'delivered' }));
  it('anything else is tried again, twice as late each time', () => {
    const waits = [1, 2, 3, 4].map((attempts) =>
      verdictOn(attempts % 2 === 0 ? unreachable : answered(404), attempts, 1000, rules),
    );
    expect(waits).toEqual([31_000, 61_000, 121_000, 241_000].map((dueAt) => ({ status: 'retry', dueAt })));
  });
  it('the last one has failed', () => expect(verdictOn(unreachable, 5, 0, rules)).toEqual({ status: 'failed' }));
  it('a 410 is for good', () => expect(verdictOn(answered(410), 1, 0, rules)).toEqual({ status: 'gone' }));
  it('no wait is longer than a day', () =>
    expect(verdictOn(unreachable, 49, 0, { ...rules, retryAttempts: 50 })).toEqual({
      status: 'retry',
      dueAt: 86_400_000,
    }));
});

describe('a receiver counts as down', () => {
  it('when it cannot be reached', () => expect(new Breaker().note('one', 'unreachable')).toBe(true));
  it('when it refuses or breaks off three different deliveries in a row', () => {
    const breaker = new Breaker();
    expect(breaker.note('one', 'answered')).toBe(false);
    expect(breaker.note('two', 'broken')).toBe(false);
    expect(breaker.note('three', 'answered')).toBe(true);
  });
  it('but not when it refuses one again and again, or takes one in between', () => {
    const breaker = new Breaker();
    expect(['one', 'one', 'one', 'one', 'two'].map((id) => breaker.note(id, 'answered'))).not.toContain(true);
    expect(breaker.note('other', 'delivered')).toBe(false);
    expect(breaker.note('three', 'answered')).toBe(false);
  });
});

describe('a sender', () => {
  let customer: Receiver;
  beforeAll(async () => {
    customer = await startReceiver();
  });
  afterAll(() => customer.stop());
  const to = (url: string): ActiveWebhook => ({
    status: 'active',
    organizationId: 'o',
    url,
    events: ['*'],
    enabled: true,
    createdAt: '',
    updatedAt: '',
  });
  const send = async (url: string, environment: Record<string, string>) => {
    const sender = new Sender(readSettings(webhooksSettings, environment), systemClock, noSpans);
    try {
      return await sender.send('webhook', to(url), { id: 'event', body: '{}' });
    } finally {
      await sender.stop();
    }
  };

  it('refuses private targets when it connects, unless they are allowed', async () => {
    expect(await send(customer.url, {})).toMatchObject({ outcome: 'unreachable', error: 'TARGET_REFUSED' });
    expect(await send(customer.url.replace('127.0.0.1', 'localhost'), {})).toMatchObject({ error: 'TARGET_REFUSED' });
    expect(customer.received).toHaveLength(0);
    expect(await send(customer.url, { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' })).toMatchObject({
      outcome: 'delivered',
      statusCode: 200,
    });
    expect(await send('http://169.254.169.254/', { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' })).toMatchObject({
      error: 'TARGET_REFUSED',
    });
  });

  it('gives up when the time is over, answer or no answer', async () => {
    customer.behave(() => undefined);
    const environment = { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true', WEBHOOK_TIMEOUT_MS: '150' };
    expect(await send(customer.url, environment)).toMatchObject({
      outcome: 'unreachable',
      statusCode: undefined,
      error: 'TIMEOUT',
    });
    // A header line now and then keeps the connection busy without ever coming to an end.
    customer.behave((response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => response.socket?.write('x: y\r\n'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await send(customer.url, environment)).toMatchObject({ outcome: 'unreachable', error: 'TIMEOUT' });
  });
});
