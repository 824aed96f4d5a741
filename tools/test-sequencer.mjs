import Sequencer from '@jest/test-sequencer';

const slow =
  /\/(end-to-end|distributed|service-image)\/|\/(own|replicas|restart|crash|killed|[a-z-]*outages?)\.test\.ts$/;

/** Begins with the long ones, also on a machine where nothing was measured yet: none of them then runs alone at the end. */
export default class LongTestsFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [...sorted.filter(({ path }) => slow.test(path)), ...sorted.filter(({ path }) => !slow.test(path))];
  }
}
