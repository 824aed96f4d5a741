import { account } from './account.suite.ts';
import { administration } from './administration.suite.ts';
import { badDays } from './bad-days.suite.ts';
import { describePages } from './describe-pages.ts';
import { developers } from './developers.suite.ts';
import { everywhere } from './everywhere.suite.ts';
import { hostileTexts } from './hostile-texts.suite.ts';
import { interrupted } from './interrupted.suite.ts';
import { organization } from './organization.suite.ts';
import { ownAccount } from './own-account.suite.ts';
import { pushes } from './pushes.suite.ts';
import { scale } from './scale.suite.ts';
import { signingIn } from './signing-in.suite.ts';
import { statistics } from './statistics.suite.ts';
import { manyTabs } from './tabs.suite.ts';

describePages([
  signingIn,
  manyTabs,
  account,
  ownAccount,
  pushes,
  developers,
  organization,
  administration,
  statistics,
  interrupted,
  everywhere,
  badDays,
  hostileTexts,
  scale,
]);
