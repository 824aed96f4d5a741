import type { Subscription } from '../events.ts';
import type { KafkaClient } from './client.ts';

/** Where a group begins in partitions for which it has committed nothing. undefined: with the first record. */
export type FirstPlaces = (topic: string, partition: number) => bigint | undefined;

const earliest: FirstPlaces = () => undefined;

/**
 * A group that starts with the latest begins behind what is there when it is first seen. A kind that such a group takes
 * up later is read from its first record, as with any other group.
 */
export async function firstPlaces(
  client: KafkaClient,
  group: string,
  topics: readonly string[],
  from: Subscription['from'],
): Promise<FirstPlaces> {
  if (from !== 'latest' || (await client.committed(group, topics)).length > 0) return earliest;
  const ends = new Map(
    (await client.ends(topics)).map(({ topic, partition, offset }) => [`${topic} ${partition}`, offset]),
  );
  return (topic, partition) => ends.get(`${topic} ${partition}`);
}
