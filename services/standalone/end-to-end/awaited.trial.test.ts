import { afterAll, beforeAll } from '@jest/globals';
import { freePort } from '@messaging-gateway/postgres';
import { ai } from './ai.suite.ts';
import { browserSession } from './browser-session.suite.ts';
import { broadcasts } from './broadcasts.suite.ts';
import { contacts } from './contacts.suite.ts';
import { flows } from './flows.suite.ts';
import { groups } from './groups.suite.ts';
import { handovers } from './handovers.suite.ts';
import { phoneState } from './phone-state.suite.ts';
import { kinds } from './kinds.suite.ts';
import { linkPage } from './link-page.suite.ts';
import { products } from './products.suite.ts';
import { presence } from './presence.suite.ts';
import { statistics } from './statistics.suite.ts';
import { suppressions } from './suppressions.suite.ts';
import { templates } from './templates.suite.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let namedPort: number;
beforeAll(async () => {
  namedPort = await freePort();
  world = await startWorld({ CORS_ORIGINS: `http://localhost:${namedPort}` });
}, 600_000);
afterAll(() => world?.end());

const at = (): World => world;
kinds(at);
products(at);
templates(at);
groups(at);
contacts(at);
linkPage(at);
browserSession(at, () => namedPort);
presence(at);
handovers(at);
phoneState(at);
suppressions(at);
ai(at);
flows(at);
statistics(at);
// It moves the clock by minutes: what comes in afterwards is too old for automation.
broadcasts(at);
