import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithOwn } from '@messaging-gateway/testing';
import { expectAllOnce } from './expect-all-once.ts';
import { startCrowd, type Crowd } from './crowd.ts';
import { startLoad, type Load } from './load.ts';
import { startTroubledWorld, troubledServers, troubledServices, type TroubledWorld } from './world.ts';

/** Without them nothing goes out, or nobody hears of it: they are killed in the middle of a broadcast. */
const neededByBroadcasts: ReadonlySet<string> = new Set([
  'campaigns',
  'outbound',
  'sessions',
  'rabbitmq',
  'kafka',
  'postgres',
]);

describeWithOwn(['rabbitmq', 'kafka', 'redis'], 'bad days of an installation that queues what it sends', () => {
  let world: TroubledWorld;
  let load: Load;
  let crowd: Crowd;
  /** Does something in the middle of other work, which goes on. */
  const amid = async (name: string, what: () => Promise<void>): Promise<void> => {
    if (neededByBroadcasts.has(name)) await crowd.amid(what);
    else await what();
    await load.progress(20);
  };
  beforeAll(async () => {
    world = await startTroubledWorld({
      replicas: 1,
      environment: { DURABLE_SEND: 'true' },
      phones: ['4915112346001', '4915112346101'],
    });
    crowd = await startCrowd(world, '4915112346201');
    load = startLoad({ ...world, pauseMs: 300 });
    await load.progress(20);
  }, 900_000);
  afterAll(() => world?.end(), 600_000);

  it.each(troubledServices)(
    'kill -9 of %s: the others wait for it, and work goes on once it is back',
    (service) =>
      amid(service, async () => {
        await world.installation.kill(service);
        await sleep(1_000);
        await world.installation.start(service);
      }),
    900_000,
  );

  it.each(troubledServers)(
    'kill -9 and start of %s: the services come back without help',
    (name) => amid(name, () => world.servers[name].killAndStart()),
    900_000,
  );

  it('a broadcast has reached everybody once who has not opted out before', () => crowd.expectOnceEach(), 900_000);

  it('nothing that was acknowledged is lost, nothing arrives twice, order is kept, every event is told', async () => {
    await load.stop();
    const arrivals = await load.arrived();
    expect(load.acknowledged()).toBeGreaterThanOrEqual(200);
    expectAllOnce(arrivals);
  }, 900_000);
});
