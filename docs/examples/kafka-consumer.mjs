// A consumer of the facts on Kafka, with a group of its own: what one organization sent and received.
//
//   KAFKA_BROKERS=localhost:9092 ORGANIZATION=<id> node docs/examples/kafka-consumer.mjs
import kafkajs from 'kafkajs';

const { KAFKA_BROKERS = 'localhost:9092', KAFKA_TOPIC_PREFIX = '', ORGANIZATION } = process.env;
const kafka = new kafkajs.Kafka({
  clientId: 'shop',
  brokers: KAFKA_BROKERS.split(','),
  logLevel: kafkajs.logLevel.ERROR, // its notes would stand between the lines
});
const consumer = kafka.consumer({ groupId: `${KAFKA_TOPIC_PREFIX}shop` });
const topics = ['message.sent', 'message.received'].map((kind) => KAFKA_TOPIC_PREFIX + kind);

await consumer.connect();
await consumer.subscribe({ topics, fromBeginning: true });
await consumer.run({
  // Thrown, a record comes again, and after a crash the last ones do: `id` is the same then. Keep it with what you write.
  eachMessage: async ({ message }) => {
    const { id, type, organizationid, data } = JSON.parse(message.value);
    if (ORGANIZATION !== undefined && organizationid !== ORGANIZATION) return; // all organizations lie in the same topics
    console.log(JSON.stringify({ id, type, ...data }));
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void consumer.disconnect());
