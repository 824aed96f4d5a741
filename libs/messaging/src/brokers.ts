export { openKafka } from './kafka/open-kafka.ts';
export type { KafkaEvents, KafkaState } from './kafka/open-kafka.ts';
export { openPassingOver } from './kafka/pass-over.ts';
export type { PassingOver, PassOverOptions } from './kafka/pass-over.ts';
export { prepareTopics } from './kafka/prepare-topics.ts';
export type { PreparedTopics, PrepareTopicsOptions } from './kafka/prepare-topics.ts';
export type { KafkaCredentials, KafkaOptions } from './kafka/options.ts';
export { openRabbitMq } from './rabbitmq/open-rabbitmq.ts';
export type { RabbitMq, RabbitMqOptions, RabbitMqState } from './rabbitmq/open-rabbitmq.ts';
