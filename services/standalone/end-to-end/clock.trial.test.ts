import { afterAll, beforeAll } from '@jest/globals';
import { freePort } from '@messaging-gateway/postgres';
import { broadcastDays } from './broadcast-days.suite.ts';
import { deadLetters } from './dead-letters.suite.ts';
import { limitsAndReceivers } from './limits-and-receivers.suite.ts';
import { log } from './log.suite.ts';
import { sentLater } from './sent-later.suite.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await freePort();
  world = await startWorld({
    LOG_LEVEL: 'info',
    METRICS_PORT: String(metricsPort),
    WEBHOOK_RETRY_ATTEMPTS: '3',
    WEBHOOK_RETRY_DELAY_MS: '60000',
  });
}, 600_000);
afterAll(() => world?.end());

const at = (): World => world;
limitsAndReceivers(at);
log(at);
broadcastDays(at);
deadLetters(at, () => metricsPort);
sentLater(at);
