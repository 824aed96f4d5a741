import { describe, expect, it } from '@jest/globals';
import { memoryCache, systemClock, type Clock } from '@messaging-gateway/runtime';
import { RecentMarks } from './dispatcher.ts';

const organization = 'organization';

/** Gateways on one cache, at a time that stands still. */
function gateways(count: number) {
  let time = 1_000_000;
  const clock: Clock = { ...systemClock, now: () => time };
  const cache = memoryCache(clock);
  const all = Array.from({ length: count }, () => new RecentMarks(cache, clock));
  const recent = async (marks: RecentMarks): Promise<string[]> => {
    const cached = await cache.get(marks.key(organization));
    return marks.recent(organization, cached).map(({ id }) => id);
  };
  /** As a request does: it looks before it writes. */
  const write = async (marks: RecentMarks, id: string): Promise<void> => {
    await recent(marks);
    await marks.remember(organization, [{ id, type: 'thing.created' }]);
  };
  const pass = (ms: number): void => void (time += ms);
  return { all, recent, write, pass };
}

describe('marks of what an organization has raised', () => {
  it('are known to every gateway, whichever wrote', async () => {
    const { all, recent, write } = gateways(3);
    const [one, two, three] = all as [RecentMarks, RecentMarks, RecentMarks];
    await write(one, 'a');
    await write(two, 'b');
    await write(one, 'c');
    for (const gateway of [one, two, three]) expect(await recent(gateway)).toEqual(['a', 'b', 'c']);
  });

  it('are forgotten after two seconds, and are not kept alive by being passed on', async () => {
    const { all, recent, write, pass } = gateways(2);
    const [one, two] = all as [RecentMarks, RecentMarks];
    await write(one, 'a');
    pass(1500);
    await write(two, 'b');
    pass(1000);
    expect([await recent(one), await recent(two)]).toEqual([['b'], ['b']]);
    pass(1001);
    expect([await recent(one), await recent(two)]).toEqual([[], []]);
  });

  it('are the newest ones when there are many', async () => {
    const { all, recent, write } = gateways(2);
    const [one, two] = all as [RecentMarks, RecentMarks];
    for (let count = 0; count < 40; count++) await write(count % 2 === 0 ? one : two, String(count));
    const newest = Array.from({ length: 24 }, (_, index) => String(index + 16));
    expect([await recent(one), await recent(two)]).toEqual([newest, newest]);
  });
});
