import type { BinaryNode } from '@whiskeysockets/baileys';
import { child, children, node, nowSeconds } from '../connection/nodes.ts';
import type { Group } from '../groups/group.ts';
import type { Network } from '../network.ts';
import { parseJid } from '../people/jid.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import { receive } from './receiving.ts';
import { takeWanted } from './routing.ts';

/**
 * Hands a message for a group to all phones and devices of its members but the sending one.
 * All get the same ciphertext; who doesn't have the sender's key yet also gets that, encrypted for them alone.
 */
export function routeToGroup(network: Network, sender: LinkedDevice, stanza: BinaryNode, group: Group): void {
  const wanted = takeWanted(sender, stanza.attrs['id'] ?? '');
  const encrypted = child(stanza, 'enc');
  if (encrypted === undefined) return;
  const only = deviceOf(network, stanza.attrs['participant']);
  const keys = new Map<string | undefined, BinaryNode | undefined>(
    children(child(stanza, 'participants'), 'to').map((to) => [deviceOf(network, to.attrs['jid']), child(to, 'enc')]),
  );
  for (const recipient of group.members.keys()) {
    for (const id of [0, ...recipient.devices.keys()]) {
      const name = `${recipient.lid}:${id}`;
      if (recipient === sender.owner && id === sender.id) continue;
      if ((only !== undefined && only !== name) || wanted?.has(name) === false) continue;
      const key = keys.get(name);
      const device = recipient.devices.get(id);
      if (device !== undefined) device.deliver(forwarded(sender, stanza, group, key));
      else
        receive(network, { recipient, sender, stanza, encrypted, group, key }).catch((error: unknown) =>
          network.log({ event: 'receiving-failed', reason: String(error) }),
        );
    }
  }
}

/** LID and device, as retries are noted. */
function deviceOf(network: Network, jid: string | undefined): string | undefined {
  const person = network.directory.find(jid);
  return person === undefined ? undefined : `${person.lid}:${parseJid(jid)?.device ?? 0}`;
}

function forwarded(sender: LinkedDevice, stanza: BinaryNode, group: Group, key: BinaryNode | undefined): BinaryNode {
  const { id, type, edit } = stanza.attrs;
  const attributes = {
    id,
    type,
    edit,
    from: group.id,
    participant: sender.lidJid,
    participant_pn: sender.owner.jid('phone'),
    addressing_mode: 'lid',
    notify: sender.owner.pushName,
    t: nowSeconds(),
  };
  const parts = [key, child(stanza, 'enc'), child(stanza, 'device-identity')];
  return node(
    'message',
    attributes,
    parts.filter((part) => part !== undefined),
  );
}
