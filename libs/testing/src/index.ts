export { specification } from './specification.ts';
export type { Given, Outcome } from './specification.ts';
export { testDatabase } from './database.ts';
export type { TestDatabase } from './database.ts';
export { startGatewayProcess } from './gateway-process.ts';
export type { Answer, CallOptions, GatewayProcess } from './gateway-process.ts';
export { startWebhookReceiver } from './webhook-receiver.ts';
export type { ReceivedDelivery, WebhookReceiver } from './webhook-receiver.ts';
