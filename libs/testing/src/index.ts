export { connected, eventually, linkAgain, linkProfile, register } from './api-world.ts';
export type { ApiWorld, LinkedProfile, Tenant } from './api-world.ts';
export { NotificationStream, type ToldNotification } from './notification-stream.ts';
export { startAiProvider } from './ai-provider/ai-provider.ts';
export type { FakeAiProvider, ProviderBehaviour } from './ai-provider/ai-provider.ts';
export { embeddingOf } from './ai-provider/answering.ts';
export { startChatwoot } from './products/chatwoot.ts';
export type { FakeChatwoot } from './products/chatwoot.ts';
export { startPushService } from './products/push-service.ts';
export type { FakePushService, SubscriptionJson } from './products/push-service.ts';
export { startTypebot } from './products/typebot.ts';
export type { FakeTypebot } from './products/typebot.ts';
export { specification } from './specification.ts';
export { testDatabase } from './database.ts';
export type { DatabaseTemplate, TestDatabase } from './database.ts';
export { startGatewayProcess } from './gateway-process.ts';
export { callGateway } from './call-gateway.ts';
export type { Answer, CallOptions } from './call-gateway.ts';
export type { GatewayProcess } from './gateway-process.ts';
export { startWebhookReceiver } from './webhook-receiver.ts';
export type { ReceivedDelivery, WebhookReceiver } from './webhook-receiver.ts';
export { describeWithBrowser, missingBrowser } from './browser.ts';
export {
  describeWith,
  describeWithOwn,
  describeWithProgram,
  describeWithRabbitMqPair,
  describeWithSecured,
  ownServersAvailable,
} from './servers/available.ts';
export { ownKafka, ownPostgres, ownRabbitMq, ownRedis, ownS3, ownSecured } from './servers/own.ts';
export type { OwnServer, SecuredServer } from './servers/own.ts';
export { openServerRun } from './servers/run.ts';
export { newProtection } from './servers/secured/protection.ts';
export { postgresPair } from './servers/standby.ts';
export type { PostgresPair } from './servers/standby.ts';
export { rabbitMqPair } from './servers/rabbitmq-pair.ts';
export type { RabbitMqPair } from './servers/rabbitmq-pair.ts';
export { severable } from './servers/severable.ts';
export type { Severable } from './servers/severable.ts';
export { testKafka, testRabbitMq, testRedis, testS3 } from './servers/shared.ts';
export type { TestKafka, TestRabbitMq, TestRedis, TestS3 } from './servers/shared.ts';
export { Replica } from './distributed/replica.ts';
export { environmentOf, startDistributed } from './distributed/start-distributed.ts';
export type { Distributed, DistributedOptions, DistributedServers } from './distributed/start-distributed.ts';
export { findTexts } from './searching/database.ts';
export { searchKafka } from './searching/kafka.ts';
export { searchRabbitMq } from './searching/rabbitmq.ts';
export { searchRedis } from './searching/redis.ts';
