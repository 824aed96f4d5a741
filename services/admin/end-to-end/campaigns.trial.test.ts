import { describePages } from './describe-pages.ts';
import { artificialIntelligence } from './ai.suite.ts';
import { answering } from './answering.suite.ts';
import { broadcasts } from './broadcasts.suite.ts';
import { contacts } from './contacts.suite.ts';
import { keptTexts } from './kept-texts.suite.ts';
import { people } from './people.suite.ts';
import { sending } from './sending.suite.ts';
import { statistics } from './statistics.suite.ts';

describePages([contacts, people, broadcasts, sending, keptTexts, answering, artificialIntelligence, statistics]);
