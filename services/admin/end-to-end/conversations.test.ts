import { describePages } from './describe-pages.ts';
import { assisting } from './assisting.suite.ts';
import { inbox } from './inbox.suite.ts';
import { linking } from './linking.suite.ts';
import { lostGateway } from './lost-gateway.suite.ts';
import { messages } from './messages.suite.ts';

describePages([linking, inbox, messages, assisting, lostGateway]);
