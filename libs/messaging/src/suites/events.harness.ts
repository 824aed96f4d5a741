import { afterAll, beforeAll } from '@jest/globals';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { ConsumerHome, EventBus, Subscription } from '../events.ts';
import type { ChildConsumer } from './child-consumer.ts';
import { Collector } from './collector.ts';

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
  /** Delivery is at least once: where something may come twice when a machine stands still for seconds. */
  readonly mayRepeat?: boolean;
  /** A process that consumes a kind for a group: it prints each event's `n` as it begins. It finishes five. */
  child(group: string, kind: string): Promise<ChildConsumer>;
  close(): Promise<void>;
}

/** Shared by the tests of a suite. `under` and `bus` are there once the tests run. */
export interface EventsContext {
  readonly under: EventsUnderTest;
  readonly bus: EventBus;
  /** A test's scenario: where events may come twice it is played up to three times, until one was not disturbed. */
  played(scenario: () => Promise<void>): () => Promise<void>;
  /** A name that no other scenario uses. */
  fresh(word: string): string;
  subscription(
    group: string,
    kinds: string[],
    handler: Subscription['handler'],
    given?: Partial<Subscription>,
  ): Subscription;
  collecting(
    group: string,
    kinds: string[],
    given?: Partial<Subscription>,
    on?: EventBus,
  ): Promise<{ came: Collector<EventEnvelope>; stop: () => Promise<void> }>;
}

/** Opens the adapter before the tests of this block and closes it behind them. */
export function eventsContext(open: () => Promise<EventsUnderTest>): EventsContext {
  let under: EventsUnderTest;
  let connected: Awaited<ReturnType<EventsUnderTest['connect']>>;
  let names = 0;
  beforeAll(async () => {
    under = await open();
    connected = await under.connect();
  });
  afterAll(async () => {
    await connected.close();
    await under.close();
  });
  const context: EventsContext = {
    get under() {
      return under;
    },
    get bus() {
      return connected.bus;
    },
    played: (scenario) => () => undisturbed(scenario, under.mayRepeat === true ? 3 : 1),
    fresh: (word) => `${word}-${(names += 1)}`,
    subscription: (group, kinds, handler, given = {}) => ({
      group,
      kinds,
      handler,
      home: under.home,
      retryDelaysMs: [],
      secondTriesMs: 100,
      ...given,
    }),
    collecting: async (group, kinds, given = {}, on = connected.bus) => {
      const came = new Collector<EventEnvelope>();
      const stop = await on.subscribe(context.subscription(group, kinds, async (event) => came.add(event), given));
      return { came, stop };
    },
  };
  return context;
}

/** Plays a scenario until it has passed once, so many times at most. */
export async function undisturbed(scenario: () => Promise<void>, times: number): Promise<void> {
  for (let left = times; ; left -= 1) {
    try {
      return await scenario();
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

/** `count` facts of each key, key by key in turn. */
export const facts = (kind: string, count: number, keys = ['k']): SuiteFact[] =>
  upTo(count).flatMap((n) => keys.map((key) => ({ kind, key, n })));

export const numberOf = ({ data }: EventEnvelope): number => (data as { n: number }).n;

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Numbers of a key in the order in which they came for the first time: delivery is at least once. */
export const firstTimes = (events: readonly EventEnvelope[], key: string): number[] => [
  ...new Set(events.filter((event) => event.key === key).map(numberOf)),
];

/** Whether all numbers of all keys have come, asked again and again about a list that grows: looks at each event once. */
export function complete(
  keys: readonly string[],
  count: number,
): (events: readonly (EventEnvelope | SuiteFact)[]) => boolean {
  const came = new Map(keys.map((key) => [key, new Set<number>()]));
  let seen = 0;
  return (events) => {
    for (const event of events.slice(seen)) came.get(event.key)?.add('n' in event ? event.n : numberOf(event));
    seen = events.length;
    return keys.every((key) => came.get(key)?.size === count);
  };
}
