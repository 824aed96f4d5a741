import type { BinaryNode } from '@whiskeysockets/baileys';
import { node, nowSeconds } from '../connection/nodes.ts';
import type { Group } from '../groups/group.ts';
import type { Network } from '../network.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import { refusalByRestriction } from '../people/restriction.ts';
import { breaksAt } from './drop-moment.ts';
import { routeToGroup } from './group-routing.ts';
import { route } from './routing.ts';

const NO_SUCH_NUMBER = 404;
const NOT_A_MEMBER = 403;

/**
 * Takes a message from a linked device, acknowledges it and hands it on.
 * An id that was taken from this account before is acknowledged and goes no further,
 * except to those who asked to have that message again.
 */
export function takeMessage(network: Network, sender: LinkedDevice, stanza: BinaryNode): void {
  const recipient = network.directory.find(stanza.attrs['to']);
  const group = network.groups.find(stanza.attrs['to']);
  if (stanza.attrs['category'] === 'peer') return takeFromDevice(network, sender, stanza);
  if (breaksAt(network, sender, 'before-stanza')) return;
  network.statistics.count('stanzas', recipient?.phone);
  const refusal = group === undefined ? refusalOf(sender, recipient) : refusalIn(group, sender);
  if (refusal !== 0) return refuse(network, sender, stanza, refusal, recipient);
  if (isEveryNth(network)) sender.dropAt = 'before-ack';
  if (isNew(network, sender.owner, stanza, recipient)) {
    if (group === undefined) route(network, sender, stanza);
    else routeToGroup(network, sender, stanza, group);
  }
  if (breaksAt(network, sender, 'before-ack')) return;
  acknowledge(network, sender, stanza, recipient);
  breaksAt(network, sender, 'after-ack');
}

function refusalOf({ owner }: LinkedDevice, recipient: Person | undefined): number {
  return (recipient?.behaviour.refuse ?? NO_SUCH_NUMBER) || refusalByRestriction(owner, recipient);
}

function refusalIn(group: Group, { owner }: LinkedDevice): number {
  return group.members.has(owner) ? 0 : NOT_A_MEMBER;
}

/** A message to the account's own phone that nobody sees. */
function takeFromDevice(network: Network, sender: LinkedDevice, stanza: BinaryNode): void {
  route(network, sender, stanza);
  sender.connection?.send(ackOf(stanza));
}

function isNew(
  network: Network,
  { taken, retriesWanted }: Person,
  stanza: BinaryNode,
  recipient: Person | undefined,
): boolean {
  const id = stanza.attrs['id'] ?? '';
  if (!taken.has(id)) {
    taken.add(id);
    return true;
  }
  if (retriesWanted.has(id)) return true;
  network.statistics.count('duplicatesDropped', recipient?.phone);
  return false;
}

function isEveryNth({ settings, statistics }: Network): boolean {
  return settings.dropEveryNth > 0 && statistics.stanzas % settings.dropEveryNth === 0;
}

function acknowledge(network: Network, sender: LinkedDevice, stanza: BinaryNode, recipient: Person | undefined): void {
  const { holdAck = 0, ackNever = false } = recipient?.behaviour ?? {};
  if (ackNever) return;
  const late = network.settings.ackDelayMs + holdAck;
  const ack = ackOf(stanza);
  if (late === 0) sender.connection?.send(ack);
  else setTimeout((connection) => connection?.send(ack), late, sender.connection).unref();
}

function refuse(
  network: Network,
  sender: LinkedDevice,
  stanza: BinaryNode,
  code: number,
  recipient: Person | undefined,
): void {
  network.statistics.count('refused', recipient?.phone);
  sender.connection?.send(ackOf(stanza, code));
}

function ackOf({ attrs }: BinaryNode, error?: number): BinaryNode {
  return node('ack', {
    class: 'message',
    id: attrs['id'],
    from: attrs['to'],
    t: nowSeconds(),
    error: error?.toString(),
  });
}
