import type { BinaryNode } from '@whiskeysockets/baileys';
import { child, children, node, nowSeconds } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import { parseJid, type Addressing } from '../people/jid.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { receive } from './receiving.ts';

/** Hands each encrypted copy in a message to the device that it is for. */
export function route(network: Network, sender: LinkedDevice, stanza: BinaryNode): void {
  const wanted = takeWanted(sender, stanza.attrs['id'] ?? '');
  for (const { jid, encrypted } of copies(stanza)) {
    const address = parseJid(jid);
    const recipient = network.directory.find(jid);
    if (address === undefined || recipient === undefined) continue;
    if (wanted?.has(`${recipient.lid}:${address.device}`) === false) continue;
    if (address.device === 0) {
      receive(network, { recipient, sender, stanza, encrypted }).catch((error: unknown) =>
        network.log({ event: 'receiving-failed', reason: String(error) }),
      );
      continue;
    }
    const device = recipient.devices.get(address.device);
    device?.deliver(forwarded(sender, device, stanza, encrypted, address.addressing));
  }
}

/** The people who asked for this message again; undefined when nobody did, so that it is for everybody. */
export function takeWanted({ owner }: LinkedDevice, id: string): Set<string> | undefined {
  const wanted = owner.retriesWanted.get(id);
  owner.retriesWanted.delete(id);
  return wanted;
}

/** One copy per device; a message for one device alone carries its copy directly. */
function copies(stanza: BinaryNode): { jid: string; encrypted: BinaryNode }[] {
  const direct = child(stanza, 'enc');
  if (direct !== undefined) return [{ jid: stanza.attrs['to'] ?? '', encrypted: direct }];
  return children(child(stanza, 'participants'), 'to').flatMap((to) => {
    const encrypted = child(to, 'enc');
    return encrypted === undefined ? [] : [{ jid: to.attrs['jid'] ?? '', encrypted }];
  });
}

/** The message as another linked device gets it: of the same account, or of the account it is for. */
function forwarded(
  sender: LinkedDevice,
  device: LinkedDevice,
  stanza: BinaryNode,
  encrypted: BinaryNode,
  addressing: Addressing,
): BinaryNode {
  const { id, type, to } = stanza.attrs;
  const identity = child(stanza, 'device-identity');
  const attributes = {
    id,
    type,
    from: addressing === 'lid' ? sender.lidJid : sender.jid,
    sender_pn: addressing === 'lid' ? sender.owner.jid('phone') : undefined,
    sender_lid: addressing === 'phone' ? sender.owner.jid('lid') : undefined,
    notify: sender.owner.pushName,
    recipient: device.owner === sender.owner ? to : undefined,
    t: nowSeconds(),
  };
  return node('message', attributes, identity === undefined ? [encrypted] : [encrypted, identity]);
}
