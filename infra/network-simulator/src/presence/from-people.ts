import { node } from '../connection/nodes.ts';
import type { Person } from '../people/person.ts';
import type { TypingState } from '../people/typing.ts';

/** Somebody types, records or has stopped: clients that are connected learn it, others never. */
export function showTyping(author: Person, recipient: Person, state: TypingState): void {
  const shown =
    state === 'paused' ? node('paused') : node('composing', { media: state === 'recording' ? 'audio' : undefined });
  const stanza = node('chatstate', { from: author.jid(author.behaviour.addressing) }, [shown]);
  for (const device of recipient.devices.values()) if (device.active) device.connection?.send(stanza);
}
