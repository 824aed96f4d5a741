import { describePages } from './describe-pages.ts';
import { inbox } from './inbox.suite.ts';
import { linking } from './linking.suite.ts';

describePages([linking, inbox]);
