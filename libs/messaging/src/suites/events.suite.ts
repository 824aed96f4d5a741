import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import { Unavailable } from '@messaging-gateway/runtime';
import { listDeadLetters, putBackDeadLetters } from '../dead-letters.ts';
import type { ConsumerHome, EventBus, Subscription } from '../events.ts';
import type { ChildConsumer } from './child-consumer.ts';
import { Collector, gate } from './collector.ts';

/** A fact that the suite has told: `n` counts within kind and key. */
export interface SuiteFact {
  readonly kind: string;
  readonly key: string;
  readonly n: number;
}

/** Events that live on when their consumers come and go. */
export interface EventsUnderTest {
  /** Another participant, as another process would be. `shuffled`: kinds overtake each other. */
  connect(options?: { readonly shuffled?: boolean }): Promise<{ readonly bus: EventBus; close(): Promise<void> }>;
  /** Tells facts in this order, from organization `o`, with request id `request-1`. */
  tell(facts: readonly SuiteFact[]): Promise<void>;
  readonly home: ConsumerHome;
  /** A process that consumes a kind for a group: it prints each event's `n` as it begins and takes 20 ms for it. */
  child(group: string, kind: string): Promise<ChildConsumer>;
  close(): Promise<void>;
}

/** What every event bus must do. */
export function eventsSuite(adapter: string, open: () => Promise<EventsUnderTest>): void {
  describe(`events over ${adapter}`, () => {
    let under: EventsUnderTest;
    let bus: EventBus;
    let disconnect: () => Promise<void>;
    let names = 0;
    beforeAll(async () => {
      under = await open();
      const connected = await under.connect();
      bus = connected.bus;
      disconnect = () => connected.close();
    });
    afterAll(async () => {
      await disconnect();
      await under.close();
    });

    const fresh = (word: string): string => `${word}-${(names += 1)}`;
    const facts = (kind: string, count: number, keys = ['k']): SuiteFact[] =>
      Array.from({ length: count }, (_, n) => keys.map((key) => ({ kind, key, n }))).flat();
    const numberOf = ({ data }: EventEnvelope): number => (data as { n: number }).n;
    const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
    const subscription = (
      group: string,
      kinds: string[],
      handler: Subscription['handler'],
      given: Partial<Subscription> = {},
    ): Subscription => ({
      group,
      kinds,
      handler,
      home: under.home,
      retryDelaysMs: [],
      ...given,
    });
    const collecting = async (group: string, kinds: string[], given: Partial<Subscription> = {}, on = bus) => {
      const came = new Collector<EventEnvelope>();
      const stop = await on.subscribe(subscription(group, kinds, async (event) => came.add(event), given));
      return { came, stop };
    };

    it('arrive with all that they carry', async () => {
      const kind = fresh('kind');
      const { came, stop } = await collecting(fresh('group'), [kind]);
      await under.tell(facts(kind, 2));
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
      const kind = fresh('kind');
      const keys = ['a', 'b', 'c'];
      const groups = await Promise.all([1, 2, 3].map(() => collecting(fresh('group'), [kind])));
      await under.tell(facts(kind, 40, keys));
      for (const { came, stop } of groups) {
        const events = await came.until(120);
        for (const key of keys) expect(events.filter((event) => event.key === key).map(numberOf)).toEqual(upTo(40));
        await stop();
      }
    });

    it('of different keys are handled at the same time, and a slow key holds up only itself', async () => {
      const kind = fresh('kind');
      const { opened, open: letGo } = gate();
      const came = new Collector<EventEnvelope>();
      const stop = await bus.subscribe(
        subscription(fresh('group'), [kind], async (event) => {
          if (event.key === 'slow') await opened;
          came.add(event);
        }),
      );
      await under.tell(facts(kind, 10, ['slow', 'fast']));
      expect((await came.until(10)).map(({ key }) => key)).toEqual(Array(10).fill('fast'));
      letGo();
      expect((await came.until(20)).slice(10).map(numberOf)).toEqual(upTo(10));
      await stop();
    });

    it('of different kinds overtake each other, each kind in order', async () => {
      const kinds = [fresh('kind'), fresh('kind')] as const;
      const shuffled = await under.connect({ shuffled: true });
      const { came, stop } = await collecting(fresh('group'), [...kinds], {}, shuffled.bus);
      const told = upTo(60).flatMap((n) => kinds.map((kind) => ({ kind, key: 'k', n })));
      await under.tell(told);
      const events = await came.until(120);
      for (const kind of kinds) expect(events.filter(({ type }) => type === kind).map(numberOf)).toEqual(upTo(60));
      expect(events.map((event) => `${event.type} ${numberOf(event)}`)).not.toEqual(
        told.map(({ kind, n }) => `${kind} ${n}`),
      );
      await stop();
      await shuffled.close();
    });

    it('that fail come again, the same ones, before those behind them', async () => {
      const kind = fresh('kind');
      const seen = new Collector<EventEnvelope>();
      let failures = 3;
      const stop = await bus.subscribe(
        subscription(
          fresh('group'),
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
      await under.tell(facts(kind, 3));
      const events = await seen.until(6);
      expect(events.map(numberOf)).toEqual([0, 1, 1, 1, 1, 2]);
      expect(new Set(events.slice(1, 5).map(({ id }) => id)).size).toBe(1);
      await stop();
    });

    it('that cannot be handled become dead letters with their reason, and can be put back', async () => {
      const [kind, group] = [fresh('kind'), fresh('group')];
      const came = new Collector<EventEnvelope>();
      const given = new Collector<string>();
      let broken = true;
      const stop = await bus.subscribe(
        subscription(
          group,
          [kind],
          async (event) => {
            if (broken && numberOf(event) === 1) throw new TypeError('cannot read it');
            came.add(event);
          },
          { retryDelaysMs: [1], onGivenUp: ({ reason }) => given.add(reason) },
        ),
      );
      await under.tell(facts(kind, 3));
      expect((await came.until(2)).map(numberOf)).toEqual([0, 2]);
      expect(await given.until(1)).toEqual(['TypeError: cannot read it']);
      const [letter] = await listDeadLetters(under.home, group);
      expect(letter).toMatchObject({
        consumer: group,
        name: kind,
        key: 'k',
        organizationId: 'o',
        reason: 'TypeError: cannot read it',
      });
      expect(letter?.envelope).toMatchObject({ id: letter?.id, data: { n: 1 } });
      broken = false;
      expect(await putBackDeadLetters(under.home, [letter?.id ?? ''])).toBe(1);
      expect((await came.until(3)).map(numberOf)).toEqual([0, 2, 1]);
      while ((await listDeadLetters(under.home, group)).length > 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
      await stop();
    });

    it('are tried for ever while a part that they need is away', async () => {
      const [kind, group] = [fresh('kind'), fresh('group')];
      const came = new Collector<EventEnvelope>();
      let tries = 0;
      const stop = await bus.subscribe(
        subscription(group, [kind], async (event) => {
          tries += 1;
          if (tries < 5) throw new Unavailable('The database is away.');
          came.add(event);
        }),
      );
      await under.tell(facts(kind, 1));
      await came.until(1);
      expect(await listDeadLetters(under.home, group)).toEqual([]);
      await stop();
    });

    it('go on after a stop where they stopped', async () => {
      const [kind, group] = [fresh('kind'), fresh('group')];
      const first = await collecting(group, [kind]);
      await under.tell(facts(kind, 5));
      await first.came.until(5);
      await first.stop();
      await under.tell(facts(kind, 8).slice(5));
      const second = await collecting(group, [kind]);
      expect((await second.came.until(3)).map(numberOf)).toEqual([5, 6, 7]);
      await second.stop();
    });

    it('in progress are finished by a stop, and later ones are not begun', async () => {
      const [kind, group] = [fresh('kind'), fresh('group')];
      const begun = gate();
      const { opened, open: letGo } = gate();
      const came = new Collector<EventEnvelope>();
      const stop = await bus.subscribe(
        subscription(group, [kind], async (event) => {
          begun.open();
          await opened;
          came.add(event);
        }),
      );
      await under.tell(facts(kind, 3));
      await begun.opened;
      const stopped = stop();
      letGo();
      await stopped;
      expect(came.items.map(numberOf)).toEqual([0]);
      const next = await collecting(group, [kind]);
      expect((await next.came.until(2)).map(numberOf)).toEqual([1, 2]);
      await next.stop();
    });

    it('from before a group was there are seen by it, unless it starts with the latest', async () => {
      const kind = fresh('kind');
      await under.tell(facts(kind, 3));
      const earliest = await collecting(fresh('group'), [kind]);
      const latest = await collecting(fresh('group'), [kind], { from: 'latest' });
      await under.tell(facts(kind, 5).slice(3));
      expect((await earliest.came.until(5)).map(numberOf)).toEqual(upTo(5));
      expect((await latest.came.until(2)).map(numberOf)).toEqual([3, 4]);
      await earliest.stop();
      await latest.stop();
    });

    it('pile up for a slow group without delaying others, and none is lost', async () => {
      const kind = fresh('kind');
      const { opened, open: letGo } = gate();
      const slow = new Collector<EventEnvelope>();
      const stopSlow = await bus.subscribe(
        subscription(
          fresh('group'),
          [kind],
          async (event) => {
            await opened;
            slow.add(event);
          },
          { concurrency: 4 },
        ),
      );
      const fast = await collecting(fresh('group'), [kind]);
      const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
      await under.tell(facts(kind, 600, keys));
      await fast.came.until(3_600);
      letGo();
      const events = await slow.until(3_600);
      for (const key of keys) expect(events.filter((event) => event.key === key).map(numberOf)).toEqual(upTo(600));
      await stopSlow();
      await fast.stop();
    });

    it('survive a kill -9 of the consumer in the middle', async () => {
      const [kind, group] = [fresh('kind'), fresh('group')];
      await under.tell(facts(kind, 40));
      const child = await under.child(group, kind);
      const begun = (await child.begun.until(6)).map(Number);
      await child.kill();
      const { came, stop } = await collecting(group, [kind]);
      await came.until((events) => events.some((event) => numberOf(event) === 39));
      await stop();
      const first = numberOf(came.items[0] as EventEnvelope);
      expect(first).toBeLessThanOrEqual(begun.at(-1) as number);
      expect(came.items.map(numberOf)).toEqual(upTo(40).slice(first));
    });
  });
}
