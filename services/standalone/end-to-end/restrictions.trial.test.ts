import { afterAll, beforeAll } from '@jest/globals';
import { restrictions } from './restrictions.suite.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()), 600_000);
afterAll(() => world.end());

restrictions(() => world);
