import { badDays } from './bad-days.suite.ts';
import { describePages } from './describe-pages.ts';
import { everywhere } from './everywhere.suite.ts';
import { hostileTexts } from './hostile-texts.suite.ts';
import { interrupted } from './interrupted.suite.ts';
import { scale } from './scale.suite.ts';

describePages([interrupted, everywhere, badDays, hostileTexts, scale]);
