import type { BinaryNode } from '@whiskeysockets/baileys';
import { children } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import { parseJid } from '../people/jid.ts';
import type { LinkedDevice } from '../people/linked-device.ts';
import type { TypingState } from '../people/typing.ts';
import { presenceNode } from './from-people.ts';

/** A linked device says that its owner types, records or has stopped. */
export function takeChatState(network: Network, device: LinkedDevice, stanza: BinaryNode): void {
  const state = stateIn(stanza);
  if (state !== undefined) network.directory.find(stanza.attrs['to'])?.typing.add(device.owner.phone, state);
}

/** A linked device says that it is or isn't in use, or wants to know it of somebody, until it disconnects. */
export function takePresence(network: Network, device: LinkedDevice, stanza: BinaryNode): void {
  const { type = 'available', to } = stanza.attrs;
  if (type === 'available' || type === 'unavailable') device.presence = type;
  const person = network.directory.find(to);
  if (type !== 'subscribe' || person === undefined) return;
  const addressing = parseJid(to)?.addressing ?? 'phone';
  device.watched.set(person, addressing);
  device.connection?.send(presenceNode(person, addressing));
}

function stateIn(stanza: BinaryNode): TypingState | undefined {
  const [first] = children(stanza);
  if (first?.tag === 'paused') return 'paused';
  if (first?.tag !== 'composing') return undefined;
  return first.attrs['media'] === 'audio' ? 'recording' : 'composing';
}
