import { describePages } from './describe-pages.ts';
import { assisting } from './assisting.suite.ts';
import { inbox } from './inbox.suite.ts';
import { lostGateway } from './lost-gateway.suite.ts';
import { messages } from './messages.suite.ts';

describePages([inbox, messages, assisting, lostGateway]);
