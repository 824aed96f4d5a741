import { expect, it as declared } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { Collector, gate } from './collector.ts';
import { complete, facts, firstTimes, numberOf, upTo, type EventsContext } from './events.harness.ts';

/** Events on an ordinary day. */
export function eventDelivery(context: EventsContext): void {
  const it = (name: string, scenario: () => Promise<void>): void => declared(name, context.played(scenario));

  it('arrive with all that they carry', async () => {
    const kind = context.fresh('kind');
    const { came, stop } = await context.collecting(context.fresh('group'), [kind]);
    await context.under.tell(facts(kind, 2));
    const [first, second] = await came.until(2);
    expect(first).toMatchObject({
      type: kind,
      version: 1,
      key: 'k',
      organizationId: 'o',
      requestId: 'request-1',
      data: { n: 0 },
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      source: expect.any(String),
    });
    expect(first?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first?.id).not.toBe(second?.id);
    expect((first as EventEnvelope).sequence < (second as EventEnvelope).sequence).toBe(true);
    expect(Number.isNaN(Date.parse(first?.time ?? ''))).toBe(false);
    await stop();
  });

  it('reach every group, each in order for its keys', async () => {
    const kind = context.fresh('kind');
    const keys = ['a', 'b', 'c'];
    const groups = await Promise.all([1, 2, 3].map(() => context.collecting(context.fresh('group'), [kind])));
    await context.under.tell(facts(kind, 40, keys));
    for (const { came, stop } of groups) {
      const events = await came.until(complete(keys, 40));
      for (const key of keys) expect(firstTimes(events, key)).toEqual(upTo(40));
      await stop();
    }
  });

  it('of different keys are handled at the same time, and a slow key holds up only itself', async () => {
    const kind = context.fresh('kind');
    const { opened, open: letGo } = gate();
    const came = new Collector<EventEnvelope>();
    const stop = await context.bus.subscribe(
      context.subscription(context.fresh('group'), [kind], async (event) => {
        if (event.key === 'slow') await opened;
        came.add(event);
      }),
    );
    await context.under.tell(facts(kind, 10, ['slow', 'fast']));
    expect((await came.until(10)).map(({ key }) => key)).toEqual(Array(10).fill('fast'));
    letGo();
    expect((await came.until(20)).slice(10).map(numberOf)).toEqual(upTo(10));
    await stop();
  });

  it('of different kinds overtake each other, each kind in order', async () => {
    const kinds = [context.fresh('kind'), context.fresh('kind')] as const;
    const shuffled = await context.under.connect({ shuffled: true });
    const { came, stop } = await context.collecting(context.fresh('group'), [...kinds], {}, shuffled.bus);
    const told = upTo(60).flatMap((n) => kinds.map((kind) => ({ kind, key: 'k', n })));
    await context.under.tell(told);
    const events = await came.until(120);
    for (const kind of kinds) expect(events.filter(({ type }) => type === kind).map(numberOf)).toEqual(upTo(60));
    expect(events.map((event) => `${event.type} ${numberOf(event)}`)).not.toEqual(
      told.map(({ kind, n }) => `${kind} ${n}`),
    );
    await stop();
    await shuffled.close();
  });

  it('go on after a stop where they stopped', async () => {
    const [kind, group] = [context.fresh('kind'), context.fresh('group')];
    const first = await context.collecting(group, [kind]);
    await context.under.tell(facts(kind, 5));
    await first.came.until(5);
    await first.stop();
    await context.under.tell(facts(kind, 8).slice(5));
    const second = await context.collecting(group, [kind]);
    expect((await second.came.until(3)).map(numberOf)).toEqual([5, 6, 7]);
    await second.stop();
  });

  it('from before a group was there are seen by it, unless it starts with the latest', async () => {
    const kind = context.fresh('kind');
    await context.under.tell(facts(kind, 3));
    const earliest = await context.collecting(context.fresh('group'), [kind]);
    await earliest.came.until(3);
    const latest = await context.collecting(context.fresh('group'), [kind], { from: 'latest' });
    await context.under.tell(facts(kind, 5).slice(3));
    expect((await earliest.came.until(5)).map(numberOf)).toEqual(upTo(5));
    expect((await latest.came.until(2)).map(numberOf)).toEqual([3, 4]);
    await earliest.stop();
    await latest.stop();
  });
}
