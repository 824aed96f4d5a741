import { setTimeout as delay } from 'node:timers/promises';
import { expect, it as declared } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { Unavailable } from '@messaging-gateway/runtime';
import { listDeadLetters, putBackDeadLetters } from '../dead-letters.ts';
import { Refused } from '../refused.ts';
import { Collector, gate } from './collector.ts';
import { complete, facts, firstTimes, numberOf, upTo, type EventsContext } from './events.harness.ts';

/** Events when consumers fail, are slow, stop or are killed. */
export function eventFailures(context: EventsContext): void {
  const it = (name: string, scenario: () => Promise<void>): void => declared(name, context.played(scenario));

  it('that fail come again, the same ones, before those behind them', async () => {
    const kind = context.fresh('kind');
    const seen = new Collector<EventEnvelope>();
    let failures = 3;
    const stop = await context.bus.subscribe(
      context.subscription(
        context.fresh('group'),
        [kind],
        async (event) => {
          seen.add(event);
          if (numberOf(event) === 1 && failures > 0) {
            failures -= 1;
            throw new Error('not yet');
          }
        },
        { retryDelaysMs: [1, 1, 1] },
      ),
    );
    await context.under.tell(facts(kind, 3));
    const events = await seen.until(6);
    expect(events.map(numberOf)).toEqual([0, 1, 1, 1, 1, 2]);
    expect(new Set(events.slice(1, 5).map(({ id }) => id)).size).toBe(1);
    await stop();
  });

  it('that cannot be handled become dead letters with their reason, and can be put back', async () => {
    const [kind, group] = [context.fresh('kind'), context.fresh('group')];
    const came = new Collector<EventEnvelope>();
    const given = new Collector<string>();
    let broken = true;
    const stop = await context.bus.subscribe(
      context.subscription(
        group,
        [kind],
        async (event) => {
          if (broken && numberOf(event) === 1) throw new TypeError('cannot read it');
          came.add(event);
        },
        { retryDelaysMs: [1], onGivenUp: ({ reason }) => given.add(reason) },
      ),
    );
    await context.under.tell(facts(kind, 3));
    expect((await came.until(2)).map(numberOf)).toEqual([0, 2]);
    expect(await given.until(1)).toEqual(['TypeError: cannot read it']);
    const [letter] = await listDeadLetters(context.under.home, group);
    expect(letter).toMatchObject({
      consumer: group,
      name: kind,
      key: 'k',
      organizationId: 'o',
      reason: 'TypeError: cannot read it',
    });
    expect(letter?.envelope).toMatchObject({ id: letter?.id, data: { n: 1 } });
    broken = false;
    expect(await putBackDeadLetters(context.under.home, [letter?.id ?? ''])).toBe(1);
    expect((await came.until(3)).map(numberOf)).toEqual([0, 2, 1]);
    while ((await listDeadLetters(context.under.home, group)).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await stop();
  });

  for (const [part, away] of [
    ['the database', () => new Unavailable('The database is away.')],
    ['another service', () => new Refused('SERVICE_UNAVAILABLE', 'Nobody serves it now.')],
  ] as const)
    it(`are tried for ever while ${part} is away`, async () => {
      const [kind, group] = [context.fresh('kind'), context.fresh('group')];
      const settled = new Collector<'came' | 'given up'>();
      let tries = 0;
      const stop = await context.bus.subscribe(
        context.subscription(
          group,
          [kind],
          async () => {
            tries += 1;
            if (tries < 5) throw away();
            settled.add('came');
          },
          { retryDelaysMs: [1], onGivenUp: () => settled.add('given up') },
        ),
      );
      await context.under.tell(facts(kind, 1));
      expect(await settled.until(1)).toEqual(['came']);
      expect(await listDeadLetters(context.under.home, group)).toEqual([]);
      await stop();
    });

  for (const ordered of [true, false]) {
    it(`keep their order when they came while a part was away, handled ${ordered ? 'one by one' : 'many at a time'}`, async () => {
      const [kind, group] = [context.fresh('kind'), context.fresh('group')];
      const came = new Collector<EventEnvelope>();
      let isAway = true;
      const tried = new Collector<number>();
      const stop = await context.bus.subscribe(
        context.subscription(
          group,
          [kind],
          async (event) => {
            tried.add(numberOf(event));
            if (isAway) throw new Unavailable('The database is away.');
            came.add(event);
          },
          { ordered },
        ),
      );
      for (let n = 0; n < 10; n += 1) {
        await context.under.tell([{ kind, key: 'k', n }]);
        await delay(30);
      }
      await tried.until(2);
      expect(context.bus.oldest?.(group).get(kind)).toBeGreaterThan(0);
      isAway = false;
      expect((await came.until(10)).map(numberOf)).toEqual(upTo(10));
      await stop();
    });
  }

  it('of a key that does not get through are set aside, and come in their order when it does', async () => {
    const [kind, group] = [context.fresh('kind'), context.fresh('group')];
    const stuck = new Collector<EventEnvelope>();
    const others = new Collector<EventEnvelope>();
    let isStuck = true;
    const stop = await context.bus.subscribe(
      context.subscription(group, [kind], async (event) => {
        if (event.key !== 'stuck') return others.add(event);
        if (isStuck) throw new Unavailable('What this key needs is away.');
        stuck.add(event);
      }),
    );
    const keys = ['a', 'b', 'c', 'd'];
    // More than is held in memory, and then others behind it.
    await context.under.tell([...facts(kind, 1, keys), ...facts(kind, 1_100, ['stuck'])]);
    await context.under.tell(facts(kind, 3, keys).filter(({ n }) => n > 0));
    await others.until(complete(keys, 3));
    for (const key of keys) expect(firstTimes(others.items, key)).toEqual(upTo(3));
    isStuck = false;
    await stuck.until(complete(['stuck'], 1_100));
    expect(firstTimes(stuck.items, 'stuck')).toEqual(upTo(1_100));
    expect(await listDeadLetters(context.under.home, group)).toEqual([]);
    await context.under.tell([{ kind, key: 'stuck', n: 1_100 }]);
    await stuck.until(complete(['stuck'], 1_101));
    await stop();
  });

  it('in progress are finished by a stop, and later ones are not begun', async () => {
    const [kind, group] = [context.fresh('kind'), context.fresh('group')];
    const begun = gate();
    const { opened, open: letGo } = gate();
    const came = new Collector<EventEnvelope>();
    const stop = await context.bus.subscribe(
      context.subscription(group, [kind], async (event) => {
        begun.open();
        await opened;
        came.add(event);
      }),
    );
    await context.under.tell(facts(kind, 3));
    await begun.opened;
    const stopped = stop();
    letGo();
    await stopped;
    expect(came.items.map(numberOf)).toEqual([0]);
    const next = await context.collecting(group, [kind]);
    expect((await next.came.until(2)).map(numberOf)).toEqual([1, 2]);
    await next.stop();
  });

  it('pile up for a slow group without delaying others, and none is lost', async () => {
    const kind = context.fresh('kind');
    const { opened, open: letGo } = gate();
    const slow = new Collector<EventEnvelope>();
    const stopSlow = await context.bus.subscribe(
      context.subscription(
        context.fresh('group'),
        [kind],
        async (event) => {
          await opened;
          slow.add(event);
        },
        { concurrency: 4 },
      ),
    );
    const fast = await context.collecting(context.fresh('group'), [kind]);
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    await context.under.tell(facts(kind, 600, keys));
    await fast.came.until(complete(keys, 600));
    letGo();
    const events = await slow.until(complete(keys, 600));
    for (const key of keys) expect(firstTimes(events, key)).toEqual(upTo(600));
    await stopSlow();
    await fast.stop();
  });

  it('survive a kill -9 of the consumer in the middle', async () => {
    const [kind, group] = [context.fresh('kind'), context.fresh('group')];
    await context.under.tell(facts(kind, 40));
    const child = await context.under.child(group, kind);
    const begun = await child.begun.until(6);
    await child.kill();
    const { came, stop } = await context.collecting(group, [kind]);
    await came.until((events) => events.some((event) => numberOf(event) === 39));
    await stop();
    const first = numberOf(came.items[0] as EventEnvelope);
    expect(first).toBeLessThanOrEqual(Number(begun.at(-1)));
    expect(came.items.map(numberOf)).toEqual(upTo(40).slice(first));
  });
}
