import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithOwn, ownRabbitMq, type OwnServer } from '@messaging-gateway/testing';
import { unseen } from '../operations.ts';
import type { Refused } from '../refused.ts';
import { gate } from '../suites/collector.ts';
import type { RabbitMq } from './open-rabbitmq.ts';
import { connected, participant, testRequest, until } from './opened.fixture.ts';

describeWithOwn('rabbitmq', 'a broker that is killed and started', () => {
  let broker: OwnServer;
  let asking: RabbitMq;
  let serving: RabbitMq;

  beforeAll(async () => {
    broker = await ownRabbitMq();
    await broker.stop();
    const options = { connectionWaitMs: 200 };
    [asking, serving] = [participant(broker.url, options), participant(broker.url, options)];
  }, 600_000);
  afterAll(async () => {
    await Promise.all([asking.close(), serving.close()]);
    await broker.drop();
  });

  const ask = (operation: string, route?: string): Promise<unknown> =>
    asking.operations
      .request(operation, testRequest({}, 20_000), route === undefined ? {} : { route })
      .then(({ body }) => body);
  const isReached = (operation: string, route?: string): Promise<boolean> =>
    ask(operation, route).then(
      () => true,
      () => false,
    );

  it('may come up after the services: what they serve is reached then', async () => {
    expect(await ask('Served').catch((error: Refused) => error.details)).toEqual(unseen);
    await serving.operations.serve('Served', async () => ({ status: 200, body: 'any' }));
    await serving.operations.serve('Served', async () => ({ status: 200, body: 'routed' }), 'profile');
    expect([asking.state(), serving.state()]).toEqual(['connecting', 'connecting']);
    await broker.start();
    await Promise.all([connected(asking), connected(serving)]);
    await until(() => isReached('Served', 'profile'));
    await until(() => isReached('Served'));
    expect([await ask('Served'), await ask('Served', 'profile')]).toEqual(['any', 'routed']);
  }, 600_000);

  it('is found again; requests on their way say that they may be lost', async () => {
    await until(() => isReached('Served'));
    const { opened, open } = gate();
    const begun = gate();
    await serving.operations.serve('Held', async () => {
      begun.open();
      await opened;
      return { status: 200 };
    });
    const held = ask('Held').catch((error: Refused) => error);
    await begun.opened;
    await broker.kill();
    expect(await held).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: undefined });
    open();
    await until(() => asking.state() === 'connecting' && serving.state() === 'connecting');
    await broker.start();
    await Promise.all([connected(asking), connected(serving)]);
    await until(() => isReached('Served', 'profile'));
    await until(() => isReached('Served'));
    expect([await ask('Served'), await ask('Served', 'profile')]).toEqual(['any', 'routed']);
  }, 600_000);
});
