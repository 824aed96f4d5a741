import kafkajs from 'kafkajs';

const { KAFKA_BROKERS = 'localhost:9092', KAFKA_TOPIC_PREFIX = '' } = process.env;
const kafka = new kafkajs.Kafka({ clientId: 'shop', brokers: KAFKA_BROKERS.split(',') });
const consumer = kafka.consumer({ groupId: `${KAFKA_TOPIC_PREFIX}shop` });
const topics = ['message.sent', 'connection.ready'].map((kind) => KAFKA_TOPIC_PREFIX + kind);
await consumer.subscribe({ topics, fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message }) => console.log(message.value.toString()),
});
