import { expect, it } from '@jest/globals';
import { silentLogger, type Logger } from '@messaging-gateway/runtime';
import { placeOf, waitFor } from './waiting.ts';

const logger = (): { readonly log: Logger; readonly said: string[] } => {
  const said: string[] = [];
  const say = (message: string, fields?: object): void => void said.push(`${message} ${JSON.stringify(fields ?? {})}`);
  return { log: { ...silentLogger, info: say, warn: say }, said };
};
const never = new AbortController().signal;

it('what is there at once is not mentioned', async () => {
  const { log, said } = logger();
  expect(await waitFor({ what: 'Redis', attempt: async () => undefined, log, signal: never })).toBe(true);
  expect(said).toEqual([]);
});

it('what is away is named once, without secrets, and again when it is there', async () => {
  const { log, said } = logger();
  const begun = performance.now();
  const attempt = async (): Promise<void> => {
    if (performance.now() - begun < 4_000) throw new Error('connect to amqp://user:secret@host refused\n    at …');
  };
  expect(await waitFor({ what: 'RabbitMQ at host:5672', attempt, log, signal: never })).toBe(true);
  expect(said).toEqual([
    'Waiting for RabbitMQ at host:5672 {"reason":"connect to amqp://host refused"}',
    'RabbitMQ at host:5672 is there {}',
  ]);
});

it('another reason is named as well', async () => {
  const { log, said } = logger();
  const begun = performance.now();
  const attempt = async (): Promise<void> => {
    const ms = performance.now() - begun;
    if (ms < 5_000) throw new Error(ms < 2_500 ? 'away' : 'wrong password');
  };
  expect(await waitFor({ what: 'Redis', attempt, log, signal: never })).toBe(true);
  expect(said).toEqual([
    'Waiting for Redis {"reason":"away"}',
    'Waiting for Redis {"reason":"wrong password"}',
    'Redis is there {}',
  ]);
});

it('is given up after its patience, and at once when the process stops', async () => {
  const { log } = logger();
  const attempt = () => Promise.reject(new Error('away'));
  expect(await waitFor({ what: 'Redis', attempt, log, signal: never, patienceMs: 500 })).toBe(false);
  const stopping = new AbortController();
  const waiting = waitFor({ what: 'Kafka', attempt, log, signal: stopping.signal });
  stopping.abort(new Error('stopping'));
  await expect(waiting).rejects.toThrow('stopping');
});

it.each([
  ['postgresql://u:p@db:5432/x', 'db:5432'],
  ['redis://cache', 'cache (redis)'],
])('the place of %s is %s', (url, place) => expect(placeOf(url)).toBe(place));
