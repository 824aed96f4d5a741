import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Delivery } from '../delivery.ts';
import type { Subscription } from '../events.ts';
import type { Sealing } from '../sealing.ts';
import { workOf } from '../way.ts';
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

/** The kinds of a group, by their topics. @param delivery of the subscription @param onRoom a partition that was full has room again */
export function kindsOf(
  { spec, names, clock, log, shuffle, sealing }: GroupParts,
  delivery: Delivery,
  onRoom: (topic: string, partition: number) => void,
): ReadonlyMap<string, KindConsumer> {
  return new Map(
    spec.kinds.map((kind) => {
      const topic = names.topicOf(kind);
      const work = workOf(spec, kind, clock);
      return [topic, new KindConsumer({ topic, work, delivery, log, shuffle, sealing, onRoom })];
    }),
  );
}
