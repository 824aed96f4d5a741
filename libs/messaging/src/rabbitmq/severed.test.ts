import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CommandEnvelope } from '@messaging-gateway/contracts';
import { describeWith, severable, testRabbitMq, type Severable, type TestRabbitMq } from '@messaging-gateway/testing';
import { unseen } from '../operations.ts';
import type { Refused } from '../refused.ts';
import { Collector } from '../suites/collector.ts';
import type { RabbitMq } from './open-rabbitmq.ts';
import { connected, participant, testCommand, testHome, testRequest, until } from './opened.fixture.ts';

const answering = (body: string) => async () => ({ status: 200, body });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describeWith('rabbitmq', 'a broker that cannot be reached for a while', () => {
  let broker: TestRabbitMq;
  let tables: Awaited<ReturnType<typeof testHome>>;
  let way: Severable;
  let near: RabbitMq;
  let far: RabbitMq;

  beforeAll(async () => {
    [broker, tables] = await Promise.all([testRabbitMq(), testHome()]);
    const url = new URL(broker.url);
    way = await severable(Number(url.port));
    url.port = String(way.port);
    const options = { heartbeat: 1, connectionWaitMs: 200, sendWaitMs: 60_000 };
    far = await connected(participant(url.href, options));
    near = await connected(participant(broker.url, options));
  });
  afterAll(async () => {
    way.heal();
    await Promise.all([near.close(), far.close()]);
    await way.close();
    await tables.drop();
    await broker.drop();
  });

  const ask = async (by: RabbitMq, name: string, route?: string): Promise<unknown> =>
    (await by.operations.request(name, testRequest({}, 2_000), route === undefined ? {} : { route })).body;
  const isAnswered = (by: RabbitMq, name: string, route?: string): Promise<boolean> =>
    ask(by, name, route).then(
      () => true,
      () => false,
    );

  it('is noticed, is not waited for, and is found again, with all that is served', async () => {
    const stops = [
      await far.operations.serve('Served', answering('any')),
      await far.operations.serve('Served', answering('routed'), 'profile'),
    ];
    expect([await ask(near, 'Served'), await ask(near, 'Served', 'profile')]).toEqual(['any', 'routed']);
    way.cut();
    const lost = await far.operations.request('Other', testRequest({}, 60_000)).catch((error: Refused) => error);
    expect(lost).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: undefined });
    await until(() => far.state() === 'connecting');
    const refused = await far.operations.request('Other', testRequest({}, 60_000)).catch((error: Refused) => error);
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: unseen });
    await until(async () => !(await isAnswered(near, 'Served')));
    way.heal();
    await connected(far);
    await until(() => isAnswered(near, 'Served'));
    await until(() => isAnswered(near, 'Served', 'profile'));
    await Promise.all(stops.map((stop) => stop()));
  }, 180_000);

  it('leaves a route to the newer holder, to which the older one does not come back', async () => {
    const stop = await far.operations.serve('Held', answering('far'), 'profile');
    expect(await ask(near, 'Held', 'profile')).toBe('far');
    way.cut();
    const stopNear = await near.operations.serve('Held', answering('near'), 'profile');
    expect(await ask(near, 'Held', 'profile')).toBe('near');
    way.heal();
    await connected(far);
    for (const _ of numbers(10)) expect(await ask(near, 'Held', 'profile')).toBe('near');
    await stopNear();
    const refused = await ask(near, 'Held', 'profile').catch((error: Refused) => error.details);
    expect(refused).toEqual(unseen);
    await stop();
  }, 180_000);

  it('loses no command that was acknowledged, in either direction, and keeps their order', async () => {
    const came = new Collector<string>();
    const handler = async ({ key, data }: CommandEnvelope) => came.add(`${key} ${(data as { n: number }).n}`);
    const stop = await far.commands.handle('outbound', 'Command1', handler, { delaysMs: [], home: tables.home });
    const sendAll = async (from: RabbitMq, key: string): Promise<void> => {
      for (const n of numbers(100)) await from.commands.send('outbound', testCommand('Command1', key, n));
    };
    const sent = Promise.all([sendAll(near, 'near'), sendAll(far, 'far')]);
    await came.until(20);
    way.cut();
    await until(() => far.state() === 'connecting');
    way.heal();
    await sent;
    const has = (line: string) => (items: readonly string[]) => items.includes(line);
    await came.until(has('near 99'));
    await came.until(has('far 99'));
    for (const key of ['near', 'far']) {
      const lines = came.items.filter((line) => line.startsWith(key));
      // What was in hand at the cut may come twice; new ones come in order.
      expect(lines.filter((line, n) => lines.indexOf(line) === n)).toEqual(numbers(100).map((n) => `${key} ${n}`));
    }
    await stop();
  }, 180_000);
});
