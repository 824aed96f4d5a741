import Sequencer from '@jest/test-sequencer';

/** Many processes or a browser for minutes: two of these side by side occupy all cores. */
const isHeavy = ({ path }) => /\/(tools\/distributed|services\/admin\/end-to-end)\/.*\.trial\.test\.ts$/.test(path);
/** Starts processes and servers. Only told from the rest where nothing was measured yet. */
const seemsLong =
  /\/(end-to-end|distributed)\/|\.trial\.test\.ts$|\/(own|replicas[a-z-]*|replica-processes|restart|crash|dead-owner|leases|shuffled|connections|[a-z-]*outages?)\.test\.ts$/;

/** Milliseconds; without a measurement by what it seems to be. */
const expected = (test) => test.duration ?? (isHeavy(test) ? 150_000 : seemsLong.test(test.path) ? 40_000 : 2_000);

/**
 * Begins with the long ones, as Jest measured them in the last run (`node_modules/.cache/jest`): in the time that they
 * wait, the many short ones run, and none of them runs alone at the end. The heavy ones come one after the other, as long
 * as there is anything else to run beside them.
 */
export default class LongTestsFirst extends Sequencer {
  async sort(tests) {
    const sorted = (await super.sort(tests)).toSorted((one, other) => expected(other) - expected(one));
    return spread(
      sorted.filter(isHeavy),
      sorted.filter((test) => !isHeavy(test)),
    );
  }
}

/** The order in which four workers come to them when the first one sees to the heavy ones. */
function spread(heavy, others) {
  const order = [];
  const busyUntil = [0, 0, 0, 0];
  while (heavy.length + others.length > 0) {
    const worker = busyUntil.indexOf(Math.min(...busyUntil));
    const isForHeavy = (worker === 0 && heavy.length > 0) || others.length === 0;
    const next = (isForHeavy ? heavy : others).shift();
    order.push(next);
    busyUntil[worker] += expected(next);
  }
  return order;
}
