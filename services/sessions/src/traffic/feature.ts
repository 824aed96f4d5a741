import { feature } from '@messaging-gateway/service';
import { accountTrafficTells, trafficTells } from './tells.ts';
import { accountTrafficStream, trafficStream } from './traffic.ts';

/** Facts that came in from the network: kept beside the session data, recorded in the journal, told to everyone. */
export const traffic = feature({
  name: 'traffic',
  streams: [trafficStream, accountTrafficStream],
  tells: [trafficTells, accountTrafficTells],
});
