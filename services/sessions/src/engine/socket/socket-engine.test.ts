import { socketEngineOn } from '../../testing/engine-under-test.ts';
import { engineSuite } from '../engine.suite.ts';
import { receivingSuite } from '../receiving.suite.ts';
import { sendingSuite } from '../sending.suite.ts';

engineSuite('the socket engine', socketEngineOn);
sendingSuite('the socket engine', socketEngineOn);
receivingSuite('the socket engine', socketEngineOn);
