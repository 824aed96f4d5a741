import { engineSuite } from '../engine.suite.ts';

engineSuite('the socket engine');
