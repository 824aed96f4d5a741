import type { Clock, Logger } from '@messaging-gateway/runtime';
import { Delivery } from '../delivery.ts';
import type { Subscription } from '../events.ts';
import type { Sealing } from '../sealing.ts';
import type { KafkaClient } from './client.ts';
import type { Faults } from './faults.ts';
import { KindConsumer } from './kind-consumer.ts';
import type { TopicKeeper } from './topic-keeper.ts';
import type { TopicNames } from './topic-names.ts';

export interface GroupParts {
  readonly spec: Subscription;
  readonly client: KafkaClient;
  readonly topics: TopicKeeper;
  readonly names: TopicNames;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly log: Logger;
  readonly shuffle: (() => number) | undefined;
  readonly sealing: Sealing | undefined;
}

/** The kinds of a group, by their topics. @param onRoom a partition that was full has room again */
export function kindsOf(
  { spec, names, clock, log, shuffle, sealing }: GroupParts,
  onRoom: (topic: string, partition: number) => void,
): ReadonlyMap<string, KindConsumer> {
  const delivery = new Delivery(spec, log);
  const { concurrency = 64, ordered = true } = spec;
  return new Map(
    spec.kinds.map((kind) => {
      const topic = names.topicOf(kind);
      return [topic, new KindConsumer({ topic, concurrency, ordered, delivery, clock, log, shuffle, sealing, onRoom })];
    }),
  );
}
