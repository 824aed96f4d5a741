import { randomBytes } from 'node:crypto';
import { node, nowSeconds } from '../connection/nodes.ts';
import type { LinkedDevice } from '../people/linked-device.ts';

/** Tells everybody who knows an account's devices that this one came or went, so that they look again before they write. */
export function announceDevices(changed: LinkedDevice): void {
  const { owner } = changed;
  // Clients keep lists under the number and under the LID.
  const devices = [changed.jid, changed.lidJid].map((jid) => node('device', { jid }));
  const attributes = { from: owner.jid('phone'), type: 'devices', id: randomBytes(6).toString('hex'), t: nowSeconds() };
  for (const watcher of owner.watchers) {
    for (const device of watcher.devices.values()) {
      if (device !== changed) device.deliver(node('notification', attributes, [node('update', {}, devices)]));
    }
  }
}
