import { feature } from '@messaging-gateway/service';
import { trafficTells } from './tells.ts';
import { trafficStream } from './traffic.ts';

/** Facts that came in from the network: kept beside the session data, recorded in the journal, told to everyone. */
export const traffic = feature({ name: 'traffic', streams: [trafficStream], tells: [trafficTells] });
