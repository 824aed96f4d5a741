import { afterAll, beforeAll } from '@jest/globals';
import { describeWithBrowser } from '@messaging-gateway/testing';
import { account } from './account.suite.ts';
import { administration } from './administration.suite.ts';
import { badDays } from './bad-days.suite.ts';
import { artificialIntelligence } from './ai.suite.ts';
import { assisting } from './assisting.suite.ts';
import { answering } from './answering.suite.ts';
import { broadcasts } from './broadcasts.suite.ts';
import { contacts } from './contacts.suite.ts';
import { developers } from './developers.suite.ts';
import { everywhere } from './everywhere.suite.ts';
import { inbox } from './inbox.suite.ts';
import { keptTexts } from './kept-texts.suite.ts';
import { linking } from './linking.suite.ts';
import { ownAccount } from './own-account.suite.ts';
import { people } from './people.suite.ts';
import { pushes } from './pushes.suite.ts';
import { organization } from './organization.suite.ts';
import { sending } from './sending.suite.ts';
import { signingIn } from './signing-in.suite.ts';
import { messages } from './messages.suite.ts';
import { statistics } from './statistics.suite.ts';
import { manyTabs } from './tabs.suite.ts';
import { startAdminWorld, type AdminWorld } from './world.ts';

/** One gateway, one network, one browser for all of them; each suite has people of its own. */
describeWithBrowser('the admin web UI', (program) => {
  let world: AdminWorld;
  beforeAll(async () => {
    world = await startAdminWorld(program);
  }, 600_000);
  afterAll(() => world?.end());
  const at = () => world;

  signingIn(at);
  manyTabs(at);
  linking(at);
  inbox(at);
  contacts(at);
  account(at);
  broadcasts(at);
  developers(at);
  organization(at);
  administration(at);
  messages(at);
  statistics(at);
  everywhere(at);
  badDays(at);
  keptTexts(at);
  sending(at);
  answering(at);
  artificialIntelligence(at);
  assisting(at);
  people(at);
  pushes(at);
  ownAccount(at);
});
