import { readFileSync } from 'node:fs';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../generated/${name}.json`, import.meta.url), 'utf8')) as unknown;

/** The OpenAPI document as it was generated; a test proves that it is fresh. */
export const readOpenApi = (): unknown => read('openapi');

/** The AsyncAPI document: every event, with its Kafka topic and as webhooks get it. */
export const readAsyncApi = (): unknown => read('asyncapi');
