// What runs a gateway from outside and needs no test framework: for the demo and the start of many processes, which run
// without what tests need.
export type { Answer } from './call-gateway.ts';
export { servicesToStart } from './distributed/service-names.ts';
export { startGatewayProcess } from './gateway-process.ts';
export type { GatewayProcess } from './gateway-process.ts';
export { startWebhookReceiver } from './webhook-receiver.ts';
export type { ReceivedDelivery, WebhookReceiver } from './webhook-receiver.ts';
