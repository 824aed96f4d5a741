import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';

export const DROP_MOMENTS = ['now', 'before-stanza', 'before-ack', 'after-ack', 'before-receipt'] as const;

/**
 * When a connection breaks: at once; or with the client's next message, before the network takes it (it is lost),
 * after it is taken and delivered but before it is acknowledged, or right after; or when the client's next receipt
 * arrives, before the network takes that (so that the message is delivered again).
 */
export type DropMoment = (typeof DROP_MOMENTS)[number];

/** @returns whether the moment has come; the connection is gone then */
export function breaksAt(network: Network, device: LinkedDevice, moment: DropMoment): boolean {
  if (device.dropAt !== moment) return false;
  device.dropAt = undefined;
  network.statistics.network.connectionsDropped += 1;
  device.connection?.drop();
  return true;
}
