import { afterAll, beforeAll } from '@jest/globals';
import { lastOwner } from './last-owner.suite.ts';
import { personalData } from './personal-data.suite.ts';
import { runningIt } from './running-it.suite.ts';
import { snapshot } from './snapshot.suite.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ WEBHOOK_ALOW_PRIVATE_TARGETS: 'false' });
}, 600_000);
afterAll(() => world?.end());

const at = (): World => world;
personalData(at);
runningIt(at);
lastOwner(at);
snapshot(at);
