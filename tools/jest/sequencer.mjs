import Sequencer from '@jest/test-sequencer';

/** Starts processes and servers. Only told from the rest where nothing was measured yet. */
const seemsLong =
  /\/(end-to-end|distributed|service-image)\/|\/(own|replicas[a-z-]*|replica-processes|restart|crash|killed|take-over|dead-owner|leases|shuffled|storms|connections|[a-z-]*outages?)\.test\.ts$/;

/** Many things happen to an installation, or a browser walks through all pages: minutes, of which much is waiting. */
const seemsLongest = /\/(tools\/distributed|admin)\/end-to-end\//;

/** Milliseconds; without a measurement the others come behind those that seem long, by size. */
const expected = ({ duration, path }) =>
  duration ?? (seemsLongest.test(path) ? 120_000 : seemsLong.test(path) ? 60_000 : 0);

/**
 * Begins with the long ones, as Jest measured them in the last run (`node_modules/.cache/jest`): in the time that they
 * wait, the many short ones run, and none of them runs alone at the end.
 */
export default class LongTestsFirst extends Sequencer {
  async sort(tests) {
    return (await super.sort(tests)).toSorted((one, other) => expected(other) - expected(one));
  }
}
