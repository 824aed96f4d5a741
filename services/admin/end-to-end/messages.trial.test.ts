import { artificialIntelligence } from './ai.suite.ts';
import { answering } from './answering.suite.ts';
import { assisting } from './assisting.suite.ts';
import { broadcasts } from './broadcasts.suite.ts';
import { contacts } from './contacts.suite.ts';
import { describePages } from './describe-pages.ts';
import { inbox } from './inbox.suite.ts';
import { keptTexts } from './kept-texts.suite.ts';
import { lostGateway } from './lost-gateway.suite.ts';
import { messages } from './messages.suite.ts';
import { people } from './people.suite.ts';
import { sending } from './sending.suite.ts';

// The last suite starts the gateway with other throttles.
describePages([
  inbox,
  messages,
  assisting,
  contacts,
  people,
  broadcasts,
  sending,
  keptTexts,
  answering,
  artificialIntelligence,
  lostGateway,
]);
