import { describe, expect, it } from '@jest/globals';
import { Permits } from './permits.ts';

/** A clock that stands still until it is moved on. */
function stillClock() {
  let now = 0;
  let alarms: { readonly time: number; readonly ring: () => void }[] = [];
  return {
    now: () => now,
    at: (time: number, ring: () => void) => {
      const alarm = { time, ring };
      alarms.push(alarm);
      return () => void (alarms = alarms.filter((one) => one !== alarm));
    },
    pass: (ms: number) => {
      now += ms;
      const due = alarms.filter(({ time }) => time <= now);
      alarms = alarms.filter(({ time }) => time > now);
      for (const { ring } of due) ring();
    },
  };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('permits', () => {
  it('let so many in at the same time, the others in order, and count a return once', async () => {
    const permits = new Permits(2, stillClock());
    const [first, second] = [await permits.take('a'), await permits.take('a')];
    const entered: string[] = [];
    const third = permits.take('a').then((giveBack) => {
      entered.push('third');
      return giveBack;
    });
    const fourth = permits.take('a').then(() => entered.push('fourth'));
    await settled();
    expect(entered).toEqual([]);
    first();
    first();
    const giveBackThird = await third;
    await settled();
    expect(entered).toEqual(['third']);
    second();
    await fourth;
    giveBackThird();
    expect(entered).toEqual(['third', 'fourth']);
  });

  it('come back by themselves from who waits for the network, and go to the tenant that has the fewest', async () => {
    const clock = stillClock();
    const permits = new Permits(3, clock);
    const entered: string[] = [];
    const enter = (tenant: string): void => void permits.take(tenant).then(() => entered.push(tenant));
    for (let count = 0; count < 100; count += 1) enter('slow');
    for (const tenant of ['quick', 'another', 'quick']) enter(tenant);
    await settled();
    expect(entered).toEqual(['slow', 'slow', 'slow']);
    clock.pass(500);
    await settled();
    expect(entered.slice(3).toSorted()).toEqual(['another', 'quick', 'slow']);
    clock.pass(500);
    await settled();
    expect(entered.filter((tenant) => tenant === 'quick')).toHaveLength(2);
    expect(entered).toHaveLength(9);
  });
});
