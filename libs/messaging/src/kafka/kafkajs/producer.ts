import type { Kafka, RetryOptions, TopicMessages } from 'kafkajs';
import type { RecordProducer, RecordToSend } from '../client.ts';
import { asked } from './errors.ts';
import { CompressionTypes, Partitioners } from './library.ts';

/**
 * An idempotent producer: what the library sends again by itself is stored once. Its tries are few on purpose: after
 * the last one it is closed and another takes its place, whose records the broker cannot mistake for those before.
 */
export async function openProducer(kafka: Kafka, retry: RetryOptions): Promise<RecordProducer> {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    metadataMaxAge: 60_000,
    retry,
  });
  await asked(producer.connect());
  return {
    send: async (records) => {
      const topicMessages = byTopic(records);
      await asked(producer.sendBatch({ acks: -1, compression: CompressionTypes.None, topicMessages }));
    },
    close: () => producer.disconnect().catch(() => undefined),
  };
}

function byTopic(records: readonly RecordToSend[]): TopicMessages[] {
  const topics = Map.groupBy(records, ({ topic }) => topic);
  return [...topics].map(([topic, told]) => ({
    topic,
    messages: told.map(({ key, value, headers }) => ({ key, value, headers: { ...headers } })),
  }));
}
