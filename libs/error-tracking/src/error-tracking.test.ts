import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@messaging-gateway/runtime';
import { errorTracking, errorTrackingSettings } from './index.ts';

type Event = {
  readonly release: string;
  readonly tags: Record<string, string>;
  readonly transaction?: string;
  readonly exception: { values: { type: string; value: string; stacktrace?: { frames: { function?: string }[] } }[] };
};

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** Where errors are told, on loopback. */
async function receiver(status = 200, headers: Record<string, string> = {}) {
  const told: { path: string; headers: IncomingHttpHeaders; text: string; event: Event }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => (text += String(piece)));
    request.on('end', () => {
      const event = JSON.parse(text.split('\n')[2] ?? '') as Event;
      told.push({ path: request.url ?? '', headers: request.headers, text, event });
      response.writeHead(status, headers).end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => server.close());
  return { told, dsn: `http://a-key@127.0.0.1:${(server.address() as AddressInfo).port}/below/42` };
}
const origin = { release: '1.2.3', environment: 'production' };

describe('error tracking', () => {
  it('tells errors that are logged, with release, service and request id, and nothing that they say', async () => {
    const { told, dsn } = await receiver();
    const tracking = errorTracking(dsn, origin);
    const log = createLogger({ level: 'error', json: true, service: 'inbox', onError: tracking.tell });
    const fault = new TypeError('No text of +4915112345678\n    at ada (secret.ts:1:1)\nends');
    log.child({ schema: 'inbox' }).error('Operation failed', {
      operation: 'GetMessage',
      requestId: '0198c0de-0000-7000-8000-000000000001',
      reason: fault.message,
      stack: fault.stack,
      phone: '4915112345678',
    });
    log.warn('Only a warning');
    await tracking.stop();
    expect(told).toHaveLength(1);
    const [{ path, headers, text, event } = told[0]!] = told;
    expect(path).toBe('/below/api/42/envelope/');
    expect(headers['x-sentry-auth']).toContain('sentry_key=a-key');
    expect(event).toMatchObject({
      release: '1.2.3',
      environment: 'production',
      transaction: 'GetMessage',
      tags: { service: 'inbox', schema: 'inbox', request_id: '0198c0de-0000-7000-8000-000000000001' },
      exception: { values: [{ type: 'TypeError', value: 'Operation failed' }] },
    });
    expect(event.exception.values[0]?.stacktrace?.frames.length).toBeGreaterThan(0);
    for (const secret of ['4915112345678', 'No text', 'ada', 'ends']) expect(text).not.toContain(secret);
  });

  it('tells ten of the same in a minute, and nothing while it is asked to rest', async () => {
    const { told, dsn } = await receiver();
    const tracking = errorTracking(dsn, origin);
    for (let n = 0; n < 30; n += 1) tracking.tell('Job failed', { job: 'a', reason: 'Error: no' });
    await tracking.stop();
    expect(told).toHaveLength(10);
    const busy = await receiver(429, { 'retry-after': '60' });
    const resting = errorTracking(busy.dsn, origin);
    resting.tell('One', {});
    await resting.stop();
    resting.tell('Two', {});
    await resting.stop();
    expect(busy.told).toHaveLength(1);
  });

  it('does nothing to its caller when nobody answers', async () => {
    const { dsn } = await receiver();
    ends.splice(0).forEach((end) => end());
    const tracking = errorTracking(dsn, origin);
    for (let n = 0; n < 200; n += 1) tracking.tell(`Error ${n}`, {});
    await tracking.stop();
  });

  it('refuses what is no DSN without showing it', () => {
    const { read } = errorTrackingSettings.errorTrackingDsn;
    expect(read('https://key@errors.example.com/1')).toBe('https://key@errors.example.com/1');
    for (const text of ['nonsense', 'https://errors.example.com/1', 'https://key@errors.example.com', 'ftp://k@h/1'])
      expect(() => read(text)).toThrow(/^must be a DSN, such as/);
  });
});
