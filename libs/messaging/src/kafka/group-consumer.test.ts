import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { testDatabase } from '@messaging-gateway/testing';
import { Collector, gate } from '../suites/collector.ts';
import { numberOf, upTo } from '../suites/events.harness.ts';
import { journalFixture } from '../suites/journal.fixture.ts';
import type { Subscription } from '../events.ts';
import { Faults } from './faults.ts';
import { FakeCluster } from './fake-cluster.fixture.ts';
import { GroupConsumer } from './group-consumer.ts';
import { TopicKeeper } from './topic-keeper.ts';
import { topicNames } from './topic-names.ts';

describe('a member of a consumer group', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let journal: ReturnType<typeof journalFixture>;
  beforeAll(async () => {
    database = await testDatabase();
    journal = journalFixture(database.url);
    await journal.migrate();
  });
  afterAll(async () => {
    await journal.close();
    await database.drop();
  });

  const consuming = async (handler: Subscription['handler'], given: Partial<Subscription> = {}) => {
    const cluster = new FakeCluster();
    const home = { schema: 'taker', pool: journal.pool };
    const spec: Subscription = { group: 'g', kinds: ['k'], handler, home, retryDelaysMs: [], ...given };
    const topics = new TopicKeeper(cluster, { partitions: 1, replication: 1, retentionDays: 7 }, silentLogger);
    const group = new GroupConsumer({
      spec,
      client: cluster,
      topics,
      names: topicNames(),
      faults: new Faults(silentLogger),
      clock: systemClock,
      log: silentLogger,
      shuffle: undefined,
      sealing: undefined,
    });
    return { cluster, group, member: await cluster.joined.next() };
  };

  it('commits nothing of a partition that has gone to another, and begins none of its waiting events', async () => {
    const begun = new Collector<number>();
    const { opened, open } = gate();
    const { cluster, group, member } = await consuming(async (event) => {
      begun.add(numberOf(event));
      await opened;
    });
    member.listener.assigned(new Map([['k', [0]]]), false);
    await member.listener.read(cluster.batch('k', 0, upTo(3)));
    await begun.until(1);
    member.listener.assigned(new Map(), true);
    open();
    await group.stop();
    expect(begun.items).toEqual([0]);
    expect(cluster.commits).toEqual([]);
  });

  it('goes on with a partition that it has kept, without repeating what it has in hand', async () => {
    const begun = new Collector<number>();
    const { cluster, group, member } = await consuming(async (event) => begun.add(numberOf(event)));
    const assignment = new Map([['k', [0]]]);
    member.listener.assigned(assignment, false);
    await member.listener.read(cluster.batch('k', 0, upTo(3)));
    member.listener.assigned(assignment, true);
    await member.listener.read(cluster.batch('k', 0, upTo(5)));
    expect(await begun.until(5)).toEqual(upTo(5));
    await group.stop();
    expect(cluster.commits.at(-1)).toEqual([expect.objectContaining({ topic: 'k', partition: 0, offset: 5n })]);
  });

  it('that has ended is followed by another one, which begins at the last commit', async () => {
    const begun = new Collector<number>();
    const { cluster, group, member } = await consuming(async (event) => begun.add(numberOf(event)));
    member.listener.assigned(new Map([['k', [0]]]), false);
    await member.listener.read(cluster.batch('k', 0, [0]));
    await begun.until(1);
    member.end(new Error('The coordinator is not aware of this member'));
    const next = await cluster.joined.next();
    next.listener.assigned(new Map([['k', [0]]]), false);
    await next.listener.read(cluster.batch('k', 0, [0, 1]));
    expect(await begun.until(3)).toEqual([0, 0, 1]);
    await group.stop();
  });

  it('fetches nothing for a full partition until there is room, and all the while for others', async () => {
    const { opened, open } = gate();
    const begun = new Collector<number>();
    const { cluster, group, member } = await consuming(async (event) => {
      await opened;
      begun.add(numberOf(event));
    });
    member.listener.assigned(new Map([['k', [0, 1]]]), false);
    await member.listener.read(cluster.batch('k', 0, upTo(600)));
    await member.listener.read(cluster.batch('k', 1, upTo(10)));
    expect(member.paused).toEqual(new Set(['k 0']));
    open();
    await begun.until(610);
    expect(member.paused).toEqual(new Set());
    await group.stop();
  });

  it('commits again what the broker refused', async () => {
    const { cluster, group, member } = await consuming(async () => undefined);
    member.refusals = 1;
    member.listener.assigned(new Map([['k', [0]]]), false);
    await member.listener.read(cluster.batch('k', 0, upTo(3)));
    while (cluster.commits.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(cluster.commits[0]).toEqual([expect.objectContaining({ offset: 3n })]);
    await group.stop();
  });

  it('passes over records that are no events', async () => {
    const begun = new Collector<number>();
    const { cluster, group, member } = await consuming(async (event) => begun.add(numberOf(event)));
    member.listener.assigned(new Map([['k', [0]]]), false);
    const batch = cluster.batch('k', 0, upTo(2));
    const strange = { offset: 2n, key: 'k', value: 'somebody else' };
    await member.listener.read({ ...batch, records: [...batch.records, strange], next: 3n });
    await begun.until(2);
    await group.stop();
    expect(cluster.commits.at(-1)).toEqual([expect.objectContaining({ offset: 3n })]);
  });
});
