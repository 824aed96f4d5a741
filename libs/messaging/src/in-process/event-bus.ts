import { journalLine, type JournalPlace } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { Checkpoints } from '../checkpoints.ts';
import type { EventBus, EventSource, Subscription } from '../events.ts';
import { Channel } from './channel.ts';
import { Delivery } from '../delivery.ts';
import { SecondTries, type Again } from '../second-tries.ts';
import { workOf } from '../way.ts';
import { Untold } from '../untold.ts';
import { startingOver } from './starting-over.ts';
import { Tailer } from './tailer.ts';

export interface InProcessEventBusOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** In tests: waits before each event, milliseconds, so that kinds overtake each other. */
  readonly shuffle?: () => number;
  /** How often the places of kinds without events are moved along, milliseconds. Default 10000. */
  readonly quietIntervalMs?: number;
}

interface Source {
  readonly spec: EventSource;
  readonly untold: Untold;
  tailer: Tailer;
  readonly channels: Set<Channel>;
}

interface Subscriber {
  readonly spec: Subscription;
  readonly delivery: Delivery;
  checkpoints: Checkpoints;
  readonly channels: Map<Channel, Source>;
}

/** The beginning of every journal, as a place that can be kept. */
const beginning: JournalPlace = { generation: 0, transactionId: 0n, position: 0n };

/**
 * The event bus of a single process: events are read straight from the journals, once for all consumers of a journal. When a
 * journal goes on in another line (see `JournalReader.onNewLine`), all begin anew at the places that are kept.
 */
export function inProcessEventBus(options: InProcessEventBusOptions): EventBus {
  const sources = new Set<Source>();
  const subscribers = new Set<Subscriber>();
  const { inTurn, again } = startingOver(() => beginAnew(sources, subscribers, options), options.log);

  const subscribe: EventBus['subscribe'] = async (spec) => {
    const subscriber: Subscriber = {
      spec,
      delivery: new Delivery(spec, options.log),
      checkpoints: new Checkpoints(spec.home, options.log),
      channels: new Map(),
    };
    const stopListening = journalLine(spec.home.pool, spec.home.schema).onChange(again);
    await inTurn(async () => {
      subscribers.add(subscriber);
      for (const source of sources) await connect(subscriber, source, options);
    });
    const againOf = (kind: string): Again | undefined => againThrough(subscriber, kind);
    const secondTries = new SecondTries(spec, subscriber.delivery, againOf, options.log);
    return async () => {
      stopListening();
      await secondTries.stop();
      await inTurn(async () => {
        subscribers.delete(subscriber);
        await Promise.all([...subscriber.channels].map(([channel, source]) => detach(channel, source)));
        await subscriber.checkpoints.stop();
      });
    };
  };

  const publishFrom: EventBus['publishFrom'] = async (spec) => {
    const untold = new Untold(spec, options.log);
    const source: Source = { spec, untold, tailer: new Tailer(spec, untold, options.log), channels: new Set() };
    const stopListening = spec.journal.onNewLine(again);
    await inTurn(async () => {
      sources.add(source);
      for (const subscriber of subscribers) await connect(subscriber, source, options);
    });
    const timer = setInterval(() => source.tailer.moveQuietChannels(), options.quietIntervalMs ?? 10_000).unref();
    return async () => {
      stopListening();
      clearInterval(timer);
      await inTurn(async () => {
        sources.delete(source);
        await source.tailer.stop();
        await Promise.all([...source.channels].map((channel) => channel.stop()));
        await source.tailer.confirm();
        for (const channel of source.channels) channel.keep();
        await untold.kept().catch(() => undefined);
      });
    };
  };

  return {
    subscribe,
    publishFrom,
    consumedUpTo: (schema) => consumedUpTo(sources, schema),
    lag: (group) => overKinds(subscribers, group, ({ behind }, so) => so + behind),
    oldest: (group) => overKinds(subscribers, group, ({ oldestMs }, so) => Math.max(so, oldestMs)),
  };
}

function againThrough({ channels }: Subscriber, kind: string): Again | undefined {
  const channel = [...channels.keys()].find((one) => one.kind === kind);
  return channel && ((event) => channel.again(event));
}

/** Forgets what is in memory, and goes on from the kept places: what was handled and not kept comes again. */
async function beginAnew(
  sources: ReadonlySet<Source>,
  subscribers: ReadonlySet<Subscriber>,
  options: InProcessEventBusOptions,
): Promise<void> {
  const { log } = options;
  for (const subscriber of subscribers) {
    subscriber.checkpoints.discard();
    subscriber.checkpoints = new Checkpoints(subscriber.spec.home, log);
  }
  await Promise.all([...sources].map(({ tailer }) => tailer.stop()));
  await Promise.all([...subscribers].flatMap(({ channels }) => [...channels.keys()].map((channel) => channel.stop())));
  for (const { channels } of subscribers) channels.clear();
  for (const source of sources) {
    source.channels.clear();
    source.tailer = new Tailer(source.spec, source.untold, log);
  }
  for (const subscriber of subscribers) for (const source of sources) await connect(subscriber, source, options);
}

/** Several journals may tell one kind. */
function overKinds(
  subscribers: ReadonlySet<Subscriber>,
  group: string,
  more: (channel: Channel, soFar: number) => number,
): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  for (const { spec, channels } of subscribers) {
    if (spec.group !== group) continue;
    for (const channel of channels.keys()) kinds.set(channel.kind, more(channel, kinds.get(channel.kind) ?? 0));
  }
  return kinds;
}

async function connect(subscriber: Subscriber, source: Source, options: InProcessEventBusOptions): Promise<void> {
  const kinds = subscriber.spec.kinds.filter((kind) => source.spec.owns?.(kind) !== false);
  if (kinds.length === 0) return;
  await source.tailer.start();
  await Promise.all(kinds.map((kind) => openChannel(subscriber, source, kind, options)));
}

async function openChannel(
  subscriber: Subscriber,
  source: Source,
  kind: string,
  { clock, log, shuffle }: InProcessEventBusOptions,
): Promise<void> {
  const { spec, delivery, checkpoints } = subscriber;
  const name = `events/${source.spec.schema}/${spec.group}/${kind}`;
  const from = await firstPlace(subscriber, source, name);
  const channel = new Channel({
    name,
    kind,
    delivery,
    checkpoints,
    source: source.spec,
    untold: source.untold,
    work: workOf(spec, kind, clock),
    log,
    shuffle,
    from,
    told: () => source.tailer.told,
    head: () => source.tailer.head,
  });
  subscriber.channels.set(channel, source);
  source.channels.add(channel);
  source.tailer.attach(channel);
}

function consumedUpTo(sources: ReadonlySet<Source>, schema: string): readonly (JournalPlace | undefined)[] {
  const read = [...sources].filter(({ spec }) => spec.schema === schema);
  return read.flatMap(({ channels }) => [...channels].map(({ place }) => place));
}

async function detach(channel: Channel, source: Source): Promise<void> {
  source.channels.delete(channel);
  await channel.stop();
  await source.tailer.confirm();
  channel.keep();
  source.tailer.detach(channel);
}

async function firstPlace(
  { spec, checkpoints }: Subscriber,
  source: Source,
  name: string,
): Promise<JournalPlace | undefined> {
  const kept = await checkpoints.load(name);
  if (kept !== undefined || spec.from !== 'latest') return kept;
  const end = (await source.spec.journal.end()) ?? beginning;
  checkpoints.save(name, end);
  await checkpoints.flush();
  return end;
}
