import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { testMailServer, type TestMailServer } from '@messaging-gateway/mail/testing';
import { startPushService, type FakePushService } from '@messaging-gateway/testing';
import { broadcastCrashes } from './broadcast-crashes.suite.ts';
import { chatwootCrashes } from './chatwoot-crashes.suite.ts';
import { crashes } from './crashes.suite.ts';
import { flowCrashes } from './flow-crashes.suite.ts';
import { durableKinds } from './kinds-durable.suite.ts';
import { live } from './live.suite.ts';
import { mediaCrashes } from './media-crashes.suite.ts';
import { notifications } from './notifications.suite.ts';
import { outages } from './outages.suite.ts';
import { durablySentLater } from './sent-later.suite.ts';
import { durableTemplates } from './templates.suite.ts';
import { voiceNoteCrashes } from './voice-note-crashes.suite.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let pushService: FakePushService;
let mailServer: TestMailServer;
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-authority-'));
beforeAll(async () => {
  pushService = await startPushService();
  mailServer = await testMailServer();
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, pushService.authority);
  world = await startWorld({
    DURABLE_SEND: 'true',
    NODE_EXTRA_CA_CERTS: authority,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_FROM: 'Gateway <gateway@example.com>',
  });
}, 600_000);
afterAll(async () => {
  await world?.end();
  await mailServer?.stop();
  await pushService?.stop();
  rmSync(folder, { recursive: true });
});

const at = (): World => world;
durableTemplates(at);
crashes(at);
broadcastCrashes(at);
flowCrashes(at);
chatwootCrashes(at);
// From here on suites move the clock: what comes in afterwards may be too old for automation.
durableKinds(at);
live(at);
notifications(at, () => ({ pushService, mailServer }));
mediaCrashes(at);
voiceNoteCrashes(at);
durablySentLater(at);
outages(at);
