import { events } from '@messaging-gateway/contracts';
import type { EventBus, EventSource, Subscription } from '../events.ts';
import { Faults } from './faults.ts';
import { GroupConsumer } from './group-consumer.ts';
import { kafkaJsClient } from './kafkajs/client.ts';
import type { KafkaOptions } from './options.ts';
import { Relay } from './relay.ts';
import { RelayLease } from './relay-lease.ts';
import { TopicKeeper } from './topic-keeper.ts';
import { topicNames } from './topic-names.ts';

/** `connecting`: the brokers are away, or a relay or group is held up by something else. */
type KafkaState = 'connecting' | 'connected' | 'closed';

/** Relays (`relay <schema>`) and groups (`group <group>`) that are held up, and why. */
type HeldUp = ReadonlyMap<string, string>;

export interface KafkaEvents {
  readonly events: EventBus;
  state(): KafkaState;
  heldUp(): HeldUp;
  /** Resolves when a broker answers. @throws why none does */
  reach(): Promise<void>;
  /** Stops what has not been stopped: groups, then relays, then the connections. */
  close(): Promise<void>;
}

/**
 * The event bus over Kafka. It starts at once: brokers may come later, be away for as long as they like, and come back.
 * Meanwhile events wait in the journals.
 */
export function openKafka(options: KafkaOptions): KafkaEvents {
  const { clock, log, shuffle, topicPrefix, retentionDays, sealing } = options;
  const client = kafkaJsClient(options);
  const faults = new Faults(log);
  const names = topicNames(topicPrefix);
  const topics = new TopicKeeper(client, options, log);
  const shared = { client, topics, names, faults, clock, log, sealing };
  const groups = new Map<GroupConsumer, string>();
  const relays = new Map<Relay, string>();

  const subscribe = async (spec: Subscription): Promise<() => Promise<void>> => {
    const group = new GroupConsumer({ ...shared, spec, shuffle });
    groups.set(group, spec.group);
    await group.begun();
    return async () => {
      if (groups.delete(group)) await group.stop();
    };
  };

  const publishFrom = async (source: EventSource): Promise<() => Promise<void>> => {
    const { pool, schema } = source;
    if (pool === undefined) throw new Error(`The source ${schema} gives no pool: Kafka keeps its place there.`);
    const lease = new RelayLease(pool, schema, `kafka ${topicPrefix ?? ''}`.trim());
    const kinds = kindsOf(source);
    const relay = new Relay({ ...shared, source, lease, kinds, retentionDays });
    relays.set(relay, schema);
    return async () => {
      if (relays.delete(relay)) await relay.stop();
    };
  };

  let closed = false;
  return {
    events: {
      subscribe,
      publishFrom,
      consumedUpTo: (schema) => [...relays].flatMap(([relay, of]) => (of === schema ? [relay.place] : [])),
      lag: (group) => new Map([...groups].flatMap(([one, name]) => (name === group ? [...one.lag] : []))),
      oldest: (group) => new Map([...groups].flatMap(([one, name]) => (name === group ? [...one.oldest] : []))),
      toldUpTo: (schema) => [...relays].find(([, of]) => of === schema)?.[0].place,
    },
    state: () => {
      if (closed) return 'closed';
      const joined = [...groups.keys()].every((group) => group.isMember);
      return joined && faults.reasons.size === 0 ? 'connected' : 'connecting';
    },
    heldUp: () => {
      const cutOff = [...groups]
        .filter(([group]) => !group.isMember)
        .map(([, name]) => [`group ${name}`, 'no member'] as const);
      return new Map([...cutOff, ...faults.reasons]);
    },
    reach: async () => void (await client.topics()),
    close: async () => {
      closed = true;
      await Promise.all([...groups.keys()].map((group) => group.stop()));
      await Promise.all([...relays.keys()].map((relay) => relay.stop()));
      await client.close();
    },
  };
}

/** The kinds whose topics a source needs from the start. Others are made with their first event. */
const kindsOf = ({ owns }: EventSource): readonly string[] =>
  owns === undefined ? [] : [...new Set(events.map(({ type }) => type).filter((kind) => owns(kind)))];
