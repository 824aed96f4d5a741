import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CommandEnvelope } from '@messaging-gateway/contracts';
import { describeWithOwn, ownRabbitMq, type OwnServer } from '@messaging-gateway/testing';
import { unseen } from '../operations.ts';
import type { Refused } from '../refused.ts';
import { Collector, gate } from '../suites/collector.ts';
import type { RabbitMq } from './open-rabbitmq.ts';
import { connected, participant, testCommand, testHome, testRequest, until } from './opened.fixture.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describeWithOwn('rabbitmq', 'a broker that is killed and started', () => {
  let broker: OwnServer;
  let tables: Awaited<ReturnType<typeof testHome>>;
  let asking: RabbitMq;
  let serving: RabbitMq;
  const came = new Collector<string>();

  beforeAll(async () => {
    [broker, tables] = await Promise.all([ownRabbitMq(), testHome()]);
    await broker.stop();
    const options = { connectionWaitMs: 200 };
    [asking, serving] = [participant(broker.url, options), participant(broker.url, options)];
  }, 600_000);
  afterAll(async () => {
    await Promise.all([asking.close(), serving.close()]);
    await tables.drop();
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
  const handler = async ({ key, data }: CommandEnvelope) => came.add(`${key} ${(data as { n: number }).n}`);

  it('may come up after the services: what they serve is reached then, what was sent is carried out', async () => {
    expect(await ask('Served').catch((error: Refused) => error.details)).toEqual(unseen);
    await serving.operations.serve('Served', async () => ({ status: 200, body: 'any' }));
    await serving.operations.serve('Served', async () => ({ status: 200, body: 'routed' }), 'profile');
    await serving.commands.handle('outbound', 'Command1', handler, { delaysMs: [], home: tables.home });
    const sent = asking.commands.send('outbound', testCommand('Command1', 'early', 0));
    expect([asking.state(), serving.state()]).toEqual(['connecting', 'connecting']);
    await broker.start();
    await Promise.all([connected(asking), connected(serving), sent]);
    await until(() => isReached('Served', 'profile'));
    await until(() => isReached('Served'));
    expect([await ask('Served'), await ask('Served', 'profile')]).toEqual(['any', 'routed']);
    expect(await came.until(1)).toEqual(['early 0']);
  }, 600_000);

  it('is found again; nothing acknowledged is lost, order is kept, requests on their way say that they may be lost', async () => {
    // A queue of the replicated kind that was declared a second ago does not survive; a busy broker takes longer.
    await delay(5_000);
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
    const keys = ['a', 'b', 'c'];
    const acknowledged: string[] = [];
    const load = Promise.all(
      keys.map(async (key) => {
        for (const n of numbers(150)) {
          await asking.commands.send('outbound', testCommand('Command1', key, n));
          acknowledged.push(`${key} ${n}`);
        }
      }),
    );
    await came.until(100);
    await broker.kill();
    expect(await held).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: undefined });
    open();
    await until(() => asking.state() === 'connecting' && serving.state() === 'connecting');
    await broker.start();
    await load;
    await Promise.all([connected(asking), connected(serving)]);
    await came.until((items) => acknowledged.every((line) => items.includes(line)));
    for (const key of keys) {
      const lines = came.items.filter((line) => line.startsWith(key));
      expect(lines.filter((line, n) => lines.indexOf(line) === n)).toEqual(numbers(150).map((n) => `${key} ${n}`));
    }
    await until(() => isReached('Served', 'profile'));
    await until(() => isReached('Served'));
    expect([await ask('Served'), await ask('Served', 'profile')]).toEqual(['any', 'routed']);
  }, 600_000);
});
