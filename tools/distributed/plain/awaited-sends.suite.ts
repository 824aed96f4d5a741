import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectAllOnce } from '../load/expect-all-once.ts';
import { startLoad, type Load } from '../load/load.ts';
import { startCompany, troubledServices, type PlainWorld } from './world.ts';

/**
 * How long a server is unreachable: longer than a lease lives (9 s), than Kafka waits for a consumer (10 s) and than a
 * send is held (20 s).
 */
const unreachableMs = 30_000;
/** Servers that are unreachable one after the other. The second is cut off in the middle of the first one's outage. */
const pairs = [
  ['rabbitmq', 'redis'],
  ['kafka', 'postgres'],
] as const;

/** Outages of an installation with two replicas of each service, whose clients wait for the result of each send. */
export function awaitedSendsSuite(given: () => PlainWorld): void {
  let world: PlainWorld;
  let load: Load;
  const restarts: Promise<void>[] = [];
  beforeAll(async () => {
    world = given();
    await Promise.all(troubledServices.map((service) => world.installation.start(service, 1)));
    await world.installation.ready();
    load = startLoad({ ...world, ...(await startCompany(world, ['4915112347001', '4915112347101'])), pauseMs: 300 });
    await load.progress(20);
  }, 900_000);
  afterAll(() => load?.stop().catch(() => undefined), 600_000);

  it.each(troubledServices)(
    'kill -9 of one of two %s: the other continues',
    async (service) => {
      await world.installation.kill(service, 0);
      await load.progress(20);
      const restart = world.installation.start(service, 0);
      restart.catch(() => undefined);
      restarts.push(restart);
    },
    900_000,
  );

  it('the killed replicas are ready again', () => Promise.all(restarts), 900_000);

  it.each(pairs)(
    '%s, and meanwhile %s, each unreachable for 30 s: work continues once they are back',
    async (one, other) => {
      const { servers } = world.own;
      await servers[one].cut();
      await sleep(unreachableMs / 2);
      await servers[other].cut();
      await sleep(unreachableMs / 2);
      await servers[one].heal();
      await sleep(unreachableMs / 2);
      await servers[other].heal();
      await load.progress(20);
    },
    900_000,
  );

  it('no acknowledged message is lost or sent twice, order is kept, every event is published', async () => {
    await load.stop();
    const arrivals = await load.arrived();
    expect(load.acknowledged()).toBeGreaterThan(150);
    expectAllOnce(arrivals);
  }, 900_000);
}
