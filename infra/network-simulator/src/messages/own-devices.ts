import { randomBytes } from 'node:crypto';
import type { proto } from '@whiskeysockets/baileys';
import { node, nowSeconds } from '../connection/nodes.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { encNode, encryptFor } from './writing.ts';

/** The phone tells a client that is linked to it something that nobody sees. Lost when the client is not connected. */
export async function tellDevice(device: LinkedDevice, message: proto.IMessage): Promise<void> {
  const { owner } = device;
  const encrypted = await owner.inTurn(() => encryptFor(owner, device, message));
  const id = randomBytes(16).toString('hex').toUpperCase();
  const attributes = { id, type: 'text', category: 'peer', from: owner.jid('phone'), t: nowSeconds() };
  device.connection?.send(node('message', attributes, [encNode(encrypted)]));
}
