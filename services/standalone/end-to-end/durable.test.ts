import { afterAll, beforeAll } from '@jest/globals';
import { broadcastCrashes } from './broadcast-crashes.suite.ts';
import { crashes } from './crashes.suite.ts';
import { flowCrashes } from './flow-crashes.suite.ts';
import { durableKinds } from './kinds-durable.suite.ts';
import { live } from './live.suite.ts';
import { mediaCrashes } from './media-crashes.suite.ts';
import { outages } from './outages.suite.ts';
import { durableTemplates } from './templates.suite.ts';
import { voiceNoteCrashes } from './voice-note-crashes.suite.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ DURABLE_SEND: 'true' });
}, 600_000);
afterAll(() => world.end());

const at = (): World => world;
durableKinds(at);
durableTemplates(at);
crashes(at);
broadcastCrashes(at);
flowCrashes(at);
live(at);
mediaCrashes(at);
voiceNoteCrashes(at);
outages(at);
