import { account } from './account.suite.ts';
import { describePages } from './describe-pages.ts';
import { administration } from './administration.suite.ts';
import { developers } from './developers.suite.ts';
import { organization } from './organization.suite.ts';
import { ownAccount } from './own-account.suite.ts';
import { pushes } from './pushes.suite.ts';
import { signingIn } from './signing-in.suite.ts';
import { manyTabs } from './tabs.suite.ts';

describePages([signingIn, manyTabs, account, ownAccount, pushes, developers, organization, administration]);
