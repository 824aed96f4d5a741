import { engineSuite } from '../engine.suite.ts';
import { receivingSuite } from '../receiving.suite.ts';
import { sendingSuite } from '../sending.suite.ts';

engineSuite('the socket engine');
sendingSuite('the socket engine');
receivingSuite('the socket engine');
