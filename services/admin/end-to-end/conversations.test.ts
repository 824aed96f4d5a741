import { describePages } from './describe-pages.ts';
import { linking } from './linking.suite.ts';

describePages([linking]);
