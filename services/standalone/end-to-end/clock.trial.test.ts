import { afterAll, beforeAll } from '@jest/globals';
import { moveFileClock } from '@messaging-gateway/runtime';
import { broadcastDays } from './broadcast-days.suite.ts';
import { log } from './log.suite.ts';
import { limitsAndReceivers } from './limits-and-receivers.suite.ts';
import { sentLater } from './sent-later.suite.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ LOG_LEVEL: 'info', WEBHOOK_RETRY_ATTEMPTS: '3', WEBHOOK_RETRY_DELAY_MS: '60000' });
  moveFileClock(world.clockFile, 0);
}, 600_000);
afterAll(() => world.end());

const at = (): World => world;
limitsAndReceivers(at);
log(at);
broadcastDays(at);
sentLater(at);
