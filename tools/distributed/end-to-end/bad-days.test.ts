import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithOwn } from '@messaging-gateway/testing';
import { startLoad, type Arrivals, type Load } from './load.ts';
import { startTroubledWorld, type TroubledWorld } from './world.ts';

const replicas = ['gateway', 'outbound', 'sessions', 'inbox', 'webhooks'] as const;
const servers = ['rabbitmq', 'kafka', 'postgres', 'redis'] as const;
const unreachableMs = 30_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Each message at the contact once and in order; each of the contact's stored and told once; each event told.
 * Stored ones are compared without order: after a reconnect the client library hands on what waited behind what comes
 * in live, and the network's times of a message are whole seconds.
 */
function expectAllOnce({ chats }: Arrivals): void {
  for (const chat of chats) {
    expect(chat.shownToContact).toEqual(chat.acknowledged);
    expect(chat.stored.toSorted()).toEqual(chat.writtenByContact.toSorted());
    expect(chat.toldSent.toSorted()).toEqual(chat.acknowledged.toSorted());
    expect(chat.toldReceived.toSorted()).toEqual(chat.writtenByContact.toSorted());
  }
}

describeWithOwn(['rabbitmq', 'kafka', 'redis'], 'bad days of an installation that queues what it sends', () => {
  let world: TroubledWorld;
  let load: Load;
  beforeAll(async () => {
    world = await startTroubledWorld({
      replicas: 1,
      environment: { DURABLE_SEND: 'true' },
      phones: ['4915112346001', '4915112346101'],
    });
    load = startLoad({ ...world, pauseMs: 150 });
    await load.progress(20);
  }, 240_000);
  afterAll(() => world?.end(), 120_000);

  it.each(replicas)(
    'kill -9 of %s: the others wait for it, and work goes on once it is back',
    async (service) => {
      await world.installation.kill(service);
      await wait(1_000);
      await world.installation.start(service);
      await load.progress(20, 90_000);
    },
    150_000,
  );

  it.each(servers)(
    'kill -9 and start of %s: the services come back without help',
    async (name) => {
      await world.servers[name].killAndStart();
      await load.progress(20, 90_000);
    },
    150_000,
  );

  it('nothing that was acknowledged is lost, nothing arrives twice, order is kept, every event is told', async () => {
    await load.stop();
    const arrivals = await load.arrived(90_000);
    expect(load.acknowledged()).toBeGreaterThan(200);
    expectAllOnce(arrivals);
  }, 150_000);
});

describeWithOwn(['rabbitmq', 'kafka', 'redis'], 'bad days of an installation that sends while one waits', () => {
  let world: TroubledWorld;
  let load: Load;
  beforeAll(async () => {
    world = await startTroubledWorld({ replicas: 2, phones: ['4915112347001', '4915112347101'] });
    load = startLoad({ ...world, pauseMs: 250 });
    await load.progress(20);
  }, 300_000);
  afterAll(() => world?.end(), 120_000);

  it.each(replicas)(
    'kill -9 of one of two %s: the other goes on',
    async (service) => {
      await world.installation.kill(service, 0);
      await load.progress(20, 90_000);
      await world.installation.start(service, 0);
    },
    150_000,
  );

  it.each(servers)(
    '%s unreachable for 30 s: work goes on once it is back',
    async (name) => {
      await world.servers[name].cut();
      await wait(unreachableMs);
      await world.servers[name].heal();
      await load.progress(20, 90_000);
    },
    180_000,
  );

  it('nothing that was acknowledged is lost, nothing arrives twice, order is kept, every event is told', async () => {
    await load.stop();
    const arrivals = await load.arrived(90_000);
    expect(load.acknowledged()).toBeGreaterThan(150);
    expectAllOnce(arrivals);
  }, 150_000);
});
