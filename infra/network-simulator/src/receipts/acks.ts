import type { BinaryNode } from '@whiskeysockets/baileys';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';

/** A linked device confirms a stanza, with an error or without: it need not be delivered again. */
export function takeAck(network: Network, device: LinkedDevice, ack: BinaryNode): void {
  const { class: tag = '', id = '', type, error } = ack.attrs;
  const to = ack.attrs['participant'] ?? ack.attrs['to'];
  if (tag === 'message' && wasUnreadable(device, id)) return;
  if (tag === 'message' && error !== undefined) network.directory.find(to)?.outbox.markRejected(id, error);
  device.mailbox.confirm(tag, id, to, type);
}

// After asking for a message again the client confirms the copy that it could not read; the new one may be waiting already.
function wasUnreadable({ unreadable }: LinkedDevice, id: string): boolean {
  const times = unreadable.get(id) ?? 0;
  if (times > 1) unreadable.set(id, times - 1);
  else unreadable.delete(id);
  return times > 0;
}
