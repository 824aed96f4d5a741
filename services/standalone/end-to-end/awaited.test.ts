import { afterAll, beforeAll } from '@jest/globals';
import { traceCollector, type TraceCollector } from '@messaging-gateway/tracing/testing';
import { firstMessage } from './first-message.suite.ts';
import { linking } from './linking.suite.ts';
import { receivedContents } from './received-contents.suite.ts';
import { tracing } from './tracing.suite.ts';
import { startWorld, type World } from './world.ts';

let collector: TraceCollector;
let world: World;
beforeAll(async () => {
  collector = await traceCollector();
  world = await startWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
}, 600_000);
afterAll(async () => {
  await world?.end();
  await collector?.close();
});

const at = (): World => world;
firstMessage(at);
tracing(at, () => collector);
linking(at);
receivedContents(at);
