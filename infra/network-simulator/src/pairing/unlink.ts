import { REMOVED } from '../connection/stream-errors.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { announceDevices } from './announcement.ts';

/** Removes a client from its account. What waited for it is gone, and its next login is refused with 401. */
export function unlink(network: Network, device: LinkedDevice): void {
  device.owner.devices.delete(device.id);
  device.mailbox.clear();
  network.onLinks();
  device.connection?.end(REMOVED);
  announceDevices(device);
  network.log({ event: 'unlinked', device: device.id });
}
