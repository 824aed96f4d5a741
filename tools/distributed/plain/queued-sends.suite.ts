import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectAllOnce } from '../load/expect-all-once.ts';
import { startLoad, type Load } from '../load/load.ts';
import { startCrowd, type Crowd } from './crowd.ts';
import { startCompany, troubledServers, troubledServices, type PlainWorld } from './world.ts';

/** Killed in the middle of a broadcast: without them the broadcast stops, or its progress is unknown. */
const neededByBroadcasts: ReadonlySet<string> = new Set([
  'campaigns',
  'outbound',
  'sessions',
  'rabbitmq',
  'kafka',
  'postgres',
]);
/** Environment of outbound while this suite runs. */
const queueing = { DURABLE_SEND: 'true' };

/** Outages of an installation with one replica of each service, which queues the sends of its clients. */
export function queuedSendsSuite(given: () => PlainWorld): void {
  let world: PlainWorld;
  let load: Load;
  let crowd: Crowd;
  /** Does something in the middle of other work, which continues. */
  const amid = async (name: string, what: () => Promise<void>): Promise<void> => {
    if (neededByBroadcasts.has(name)) await crowd.amid(what);
    else await what();
    await load.progress(20);
  };
  const restartOutbound = async (changed: Readonly<Record<string, string>>): Promise<void> => {
    await world.installation.terminate('outbound');
    await world.installation.start('outbound', 0, changed);
  };
  beforeAll(async () => {
    world = given();
    await restartOutbound(queueing);
    const company = await startCompany(world, ['4915112346001', '4915112346101']);
    crowd = await startCrowd(world, '4915112346201');
    load = startLoad({ ...world, ...company, pauseMs: 300 });
    await load.progress(20);
  }, 900_000);
  afterAll(async () => {
    await load?.stop().catch(() => undefined);
    await restartOutbound({});
  }, 900_000);

  it.each(troubledServices)(
    'kill -9 of %s: the others wait for it, and work continues once it is back',
    (service) =>
      amid(service, async () => {
        await world.installation.kill(service);
        await sleep(1_000);
        await world.installation.start(service, 0, queueing);
      }),
    900_000,
  );

  it.each(troubledServers)(
    'kill -9 and start of %s: the services reconnect',
    (name) => amid(name, () => world.own.servers[name].killAndStart()),
    900_000,
  );

  it('a broadcast reaches everybody once who has not opted out before', () => crowd.expectOnceEach(), 900_000);

  it('no acknowledged message is lost or sent twice, order is kept, every event is published', async () => {
    await load.stop();
    const arrivals = await load.arrived();
    expect(load.acknowledged()).toBeGreaterThanOrEqual(200);
    expectAllOnce(arrivals);
  }, 900_000);
}
