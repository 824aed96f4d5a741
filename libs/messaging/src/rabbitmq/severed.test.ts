import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { silentLogger, type Logger } from '@messaging-gateway/runtime';
import { describeWith, severable, testRabbitMq, type Severable, type TestRabbitMq } from '@messaging-gateway/testing';
import { unseen } from '../operations.ts';
import type { Refused } from '../refused.ts';
import type { RabbitMq } from './open-rabbitmq.ts';
import { connected, participant, testRequest, until } from './opened.fixture.ts';

const answering = (body: string) => async () => ({ status: 200, body });

describeWith('rabbitmq', 'a broker that cannot be reached for a while', () => {
  let broker: TestRabbitMq;
  let way: Severable;
  let near: RabbitMq;
  let far: RabbitMq;
  const saidByFar: string[] = [];
  const listening: Logger = { ...silentLogger, warn: (message) => void saidByFar.push(message) };

  beforeAll(async () => {
    broker = await testRabbitMq();
    const url = new URL(broker.url);
    way = await severable(Number(url.port));
    url.port = String(way.port);
    far = await connected(participant(url.href, { heartbeat: 1, connectionWaitMs: 200, log: listening }));
    near = await connected(participant(broker.url));
  });
  afterAll(async () => {
    way.heal();
    await Promise.all([near.close(), far.close()]);
    await way.close();
    await broker.drop();
  });

  const ask = async (by: RabbitMq, name: string, route?: string, withinMs?: number): Promise<unknown> =>
    (await by.operations.request(name, testRequest({}, withinMs), route === undefined ? {} : { route })).body;
  /** The answer of now, if there is any. A stall of this machine is an outage to a connection with short heartbeats. */
  const answer = (by: RabbitMq, name: string, route?: string): Promise<unknown> =>
    ask(by, name, route, 5_000).catch(() => undefined);
  const answers = (by: RabbitMq, name: string, wanted: string, route?: string): Promise<void> =>
    until(async () => (await answer(by, name, route)) === wanted);

  it('is noticed, is not waited for, and is found again, with all that is served', async () => {
    const stops = [
      await far.operations.serve('Served', answering('any')),
      await far.operations.serve('Served', answering('routed'), 'profile'),
    ];
    await answers(near, 'Served', 'any');
    await answers(near, 'Served', 'routed', 'profile');
    await connected(far);
    way.cut();
    const lost = await far.operations.request('Other', testRequest({}, 60_000)).catch((error: Refused) => error);
    expect(lost).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: undefined });
    await until(() => far.state() === 'connecting');
    const refused = await far.operations.request('Other', testRequest({}, 60_000)).catch((error: Refused) => error);
    expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: unseen });
    await until(async () => (await answer(near, 'Served')) === undefined);
    way.heal();
    await connected(far);
    await answers(near, 'Served', 'any');
    await answers(near, 'Served', 'routed', 'profile');
    await Promise.all(stops.map((stop) => stop()));
  }, 600_000);

  it('leaves a route to the newer holder, to which the older one does not come back', async () => {
    const stop = await far.operations.serve('Held', answering('far'), 'profile');
    await answers(near, 'Held', 'far', 'profile');
    way.cut();
    const stopNear = await near.operations.serve('Held', answering('near'), 'profile');
    await answers(near, 'Held', 'near', 'profile');
    way.heal();
    await connected(far);
    await until(() => saidByFar.includes('A newer holder has taken a route'));
    for (let n = 0; n < 10; n++) expect(await ask(near, 'Held', 'profile')).toBe('near');
    await stopNear();
    const refused = await ask(near, 'Held', 'profile').catch((error: Refused) => error.details);
    expect(refused).toEqual(unseen);
    await stop();
  }, 600_000);
});
