import Sequencer from '@jest/test-sequencer';

/** Longest first. Beside them, in the time that they wait, the many short ones run. */
const longest = [
  'tools/distributed/end-to-end/awaited-sends',
  'libs/messaging/src/kafka/kafka-outages',
  'tools/distributed/end-to-end/queued-sends',
  'services/sessions/src/replicas-outage',
  'services/standalone/end-to-end/running-it',
  'services/standalone/end-to-end/durable',
  'services/standalone/end-to-end/awaited',
  'services/standalone/end-to-end/dead-letters',
  'infra/service-image/image',
  'tools/distributed/workers/workers',
  'tools/distributed/encrypted/encrypted',
  'tools/distributed/start',
  'services/standalone/end-to-end/clock',
  'services/sessions/src/sessions-disk-full',
  'services/sessions/src/engine/socket/storms',
  'services/sessions/src/large-media',
  'libs/service/src/outage',
  'services/standalone/src/every-operation-guarded',
  'contracts/generation/generated',
  'tools/distributed/processes',
].map((path) => `/${path}.test.ts`);

const slow =
  /\/(end-to-end|distributed|service-image)\/|\/(own|replicas|replicas-share|replica-processes|restart|crash|killed|take-over|dead-owner|leases|shuffled|storms|connections|[a-z-]*outages?)\.test\.ts$/;

const rank = ({ path }) => {
  const place = longest.findIndex((end) => path.endsWith(end));
  if (place >= 0) return place;
  return slow.test(path) ? longest.length : longest.length + 1;
};

/** Begins with the long ones, also on a machine where nothing was measured yet: none of them then runs alone at the end. */
export default class LongTestsFirst extends Sequencer {
  async sort(tests) {
    return (await super.sort(tests)).toSorted((one, other) => rank(one) - rank(other));
  }
}
