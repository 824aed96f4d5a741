export { openKafka } from './kafka/open-kafka.ts';
export { openPassingOver } from './kafka/pass-over.ts';
export { prepareTopics } from './kafka/prepare-topics.ts';
export type { PreparedTopics } from './kafka/prepare-topics.ts';
export type { KafkaOptions } from './kafka/options.ts';
export { openRabbitMq } from './rabbitmq/open-rabbitmq.ts';
export type { RabbitMq } from './rabbitmq/open-rabbitmq.ts';
