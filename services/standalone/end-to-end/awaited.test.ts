import { afterAll, beforeAll } from '@jest/globals';
import { freePort } from '@messaging-gateway/postgres';
import { traceCollector, type TraceCollector } from '@messaging-gateway/tracing/testing';
import { ai } from './ai.suite.ts';
import { browserSession } from './browser-session.suite.ts';
import { broadcasts } from './broadcasts.suite.ts';
import { contacts } from './contacts.suite.ts';
import { firstMessage } from './first-message.suite.ts';
import { flows } from './flows.suite.ts';
import { groups } from './groups.suite.ts';
import { handovers } from './handovers.suite.ts';
import { kinds } from './kinds.suite.ts';
import { linkPage } from './link-page.suite.ts';
import { linking } from './linking.suite.ts';
import { products } from './products.suite.ts';
import { presence } from './presence.suite.ts';
import { statistics } from './statistics.suite.ts';
import { suppressions } from './suppressions.suite.ts';
import { templates } from './templates.suite.ts';
import { tracing } from './tracing.suite.ts';
import { startWorld, type World } from './world.ts';

let collector: TraceCollector;
let world: World;
let namedPort: number;
beforeAll(async () => {
  collector = await traceCollector();
  namedPort = await freePort();
  world = await startWorld({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    CORS_ORIGINS: `http://localhost:${namedPort}`,
  });
}, 600_000);
afterAll(async () => {
  await world.end();
  await collector.close();
});

const at = (): World => world;
firstMessage(at);
tracing(at, () => collector);
kinds(at);
products(at);
templates(at);
groups(at);
contacts(at);
linking(at);
linkPage(at);
browserSession(at, () => namedPort);
presence(at);
handovers(at);
suppressions(at);
ai(at);
broadcasts(at);
flows(at);
statistics(at);
