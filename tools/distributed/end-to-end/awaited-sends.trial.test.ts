import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithOwn } from '@messaging-gateway/testing';
import { expectAllOnce } from './expect-all-once.ts';
import { startLoad, type Load } from './load.ts';
import { startTroubledWorld, troubledServices, type TroubledWorld } from './world.ts';

/** How long a server is out of reach. */
const unreachableMs = 30_000;
/** Servers that are out of reach one after the other, the second one from the middle of the first one's time. */
const pairs = [
  ['rabbitmq', 'redis'],
  ['kafka', 'postgres'],
] as const;

describeWithOwn(['rabbitmq', 'kafka', 'redis'], 'bad days of an installation that sends while one waits', () => {
  let world: TroubledWorld;
  let load: Load;
  const restarts: Promise<void>[] = [];
  beforeAll(async () => {
    world = await startTroubledWorld({ replicas: 2, phones: ['4915112347001', '4915112347101'] });
    load = startLoad({ ...world, pauseMs: 300 });
    await load.progress(20);
  }, 900_000);
  afterAll(() => world?.end(), 600_000);

  it.each(troubledServices)(
    'kill -9 of one of two %s: the other goes on',
    async (service) => {
      await world.installation.kill(service, 0);
      await load.progress(20);
      const restart = world.installation.start(service, 0);
      restart.catch(() => undefined);
      restarts.push(restart);
    },
    900_000,
  );

  it('those that were killed are there again', () => Promise.all(restarts), 900_000);

  it.each(pairs)(
    '%s, and meanwhile %s, each unreachable for 30 s: work goes on once they are back',
    async (one, other) => {
      await world.servers[one].cut();
      await sleep(unreachableMs / 2);
      await world.servers[other].cut();
      await sleep(unreachableMs / 2);
      await world.servers[one].heal();
      await sleep(unreachableMs / 2);
      await world.servers[other].heal();
      await load.progress(20);
    },
    900_000,
  );

  it('nothing that was acknowledged is lost, nothing arrives twice, order is kept, every event is told', async () => {
    await load.stop();
    const arrivals = await load.arrived();
    expect(load.acknowledged()).toBeGreaterThan(150);
    expectAllOnce(arrivals);
  }, 900_000);
});
