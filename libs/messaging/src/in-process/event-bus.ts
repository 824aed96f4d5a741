import type { JournalPlace } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { Checkpoints } from '../checkpoints.ts';
import type { EventBus, EventSource, Subscription } from '../events.ts';
import { Channel } from './channel.ts';
import { Delivery } from './delivery.ts';
import { PutBack } from './put-back.ts';
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
  readonly tailer: Tailer;
  readonly channels: Set<Channel>;
}

interface Subscriber {
  readonly spec: Subscription;
  readonly delivery: Delivery;
  readonly checkpoints: Checkpoints;
  readonly channels: Map<Channel, Source>;
}

/** The beginning of every journal, as a place that can be kept. */
const beginning: JournalPlace = { generation: 0, transactionId: 0n, position: 0n };

/** The event bus of a single process: events are read straight from the journals, once for all consumers of a journal. */
export function inProcessEventBus(options: InProcessEventBusOptions): EventBus {
  const sources = new Set<Source>();
  const subscribers = new Set<Subscriber>();

  const connect = async (subscriber: Subscriber, source: Source, kind: string): Promise<void> => {
    const { spec, delivery, checkpoints } = subscriber;
    if (source.spec.owns?.(kind) === false) return;
    await source.tailer.start();
    const name = `events/${source.spec.schema}/${spec.group}/${kind}`;
    const channel = new Channel({
      name,
      kind,
      delivery,
      checkpoints,
      source: source.spec,
      clock: options.clock,
      log: options.log,
      shuffle: options.shuffle,
      from: await firstPlace(subscriber, source, name),
      concurrency: spec.concurrency ?? 64,
      ordered: spec.ordered ?? true,
      head: () => source.tailer.head,
    });
    subscriber.channels.set(channel, source);
    source.channels.add(channel);
    source.tailer.attach(channel);
  };

  const subscribe: EventBus['subscribe'] = async (spec) => {
    const delivery = new Delivery(spec, options.log);
    const subscriber: Subscriber = { spec, delivery, checkpoints: new Checkpoints(spec.home), channels: new Map() };
    subscribers.add(subscriber);
    for (const source of sources) await Promise.all(spec.kinds.map((kind) => connect(subscriber, source, kind)));
    const putBack = new PutBack(
      spec,
      (kind) => [...subscriber.channels.keys()].find((channel) => channel.kind === kind),
      options.log,
    );
    return async () => {
      subscribers.delete(subscriber);
      putBack.stop();
      await Promise.all([...subscriber.channels].map(([channel, source]) => detach(channel, source)));
      await subscriber.checkpoints.stop();
    };
  };

  const publishFrom: EventBus['publishFrom'] = async (spec) => {
    const source: Source = { spec, tailer: new Tailer(spec, options.log), channels: new Set() };
    sources.add(source);
    for (const subscriber of subscribers)
      await Promise.all(subscriber.spec.kinds.map((kind) => connect(subscriber, source, kind)));
    const timer = setInterval(() => source.tailer.moveQuietChannels(), options.quietIntervalMs ?? 10_000).unref();
    return async () => {
      sources.delete(source);
      clearInterval(timer);
      await source.tailer.stop();
      await Promise.all([...source.channels].map((channel) => channel.stop()));
    };
  };

  return { subscribe, publishFrom, consumedUpTo: (schema) => consumedUpTo(sources, schema) };
}

function consumedUpTo(sources: ReadonlySet<Source>, schema: string): readonly (JournalPlace | undefined)[] {
  const read = [...sources].filter(({ spec }) => spec.schema === schema);
  return read.flatMap(({ channels }) => [...channels].map(({ place }) => place));
}

async function detach(channel: Channel, source: Source): Promise<void> {
  source.channels.delete(channel);
  await channel.stop();
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
