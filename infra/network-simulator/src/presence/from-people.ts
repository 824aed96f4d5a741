import type { BinaryNode } from '@whiskeysockets/baileys';
import { node } from '../connection/nodes.ts';
import type { Group } from '../groups/group.ts';
import type { Network } from '../network.ts';
import type { Addressing } from '../people/jid.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { Person } from '../people/person.ts';
import type { PersonPresence, TypingState } from '../people/typing.ts';

/** Shows that a person types, records or has stopped: clients that are connected and in use learn it, others never. */
export function showTyping(author: Person, to: Person | Group, state: TypingState): void {
  const shown =
    state === 'paused' ? node('paused') : node('composing', { media: state === 'recording' ? 'audio' : undefined });
  const jid = author.jid(author.behaviour.addressing);
  if (!('members' in to)) {
    tell([to], node('chatstate', { from: jid }, [shown]));
    return;
  }
  const others = [...to.members.keys()].filter((member) => member !== author);
  tell(others, node('chatstate', { from: to.id, participant: jid }, [shown]));
}

function tell(people: readonly Person[], stanza: BinaryNode): void {
  for (const { devices } of people)
    for (const device of devices.values()) if (isInUse(device)) device.connection?.send(stanza);
}

const isInUse = ({ active, presence }: LinkedDevice): boolean => active && presence === 'available';

/** Shows that a person opens or leaves the network's client: those who asked for it, and are in use themselves, learn it. */
export function showPresence(network: Network, person: Person, presence: PersonPresence): void {
  person.presence = presence;
  for (const { device } of network.connections) {
    const addressing = device?.watched.get(person);
    if (device === undefined || addressing === undefined || !isInUse(device)) continue;
    device.connection?.send(presenceNode(person, addressing));
  }
}

/** The network's stanza about somebody's presence. */
export function presenceNode(person: Person, addressing: Addressing): BinaryNode {
  const { state: type, lastSeen } = person.presence;
  return node('presence', {
    from: person.jid(addressing),
    type,
    last: lastSeen === undefined ? undefined : String(lastSeen),
  });
}
