import type { EventEmitter } from 'node:events';
import type { BinaryNode } from '@whiskeysockets/baileys';

export interface StanzaWatch {
  /** Before the library handles an inbound message. */
  message(stanza: BinaryNode): void;
  /** Before the library confirms a receipt: it does so once this has resolved, and never when it rejects. */
  receipt(stanza: BinaryNode): Promise<void>;
  /** Before the library confirms that a group has changed, in the same way. */
  group(stanza: BinaryNode): Promise<void>;
  /** The network's acknowledgement of a message of ours. */
  ack(stanza: BinaryNode): void;
}

/**
 * Looks at stanzas on their way from the connection to the library. Receipts and changes of groups are held back until they are kept,
 * since the library confirms them before it tells anybody, and the network repeats only what was not confirmed.
 */
export function watchStanzas(connection: EventEmitter, watch: StanzaWatch): void {
  const emit = connection.emit.bind(connection);
  const keeping = (event: string | symbol, stanza: BinaryNode): Promise<void> | undefined => {
    if (event === 'CB:receipt') return watch.receipt(stanza);
    if (event === 'CB:notification' && stanza.attrs['type'] === 'w:gp2') return watch.group(stanza);
    return undefined;
  };
  connection.emit = (event: string | symbol, ...parts: unknown[]): boolean => {
    const stanza = parts[0] as BinaryNode;
    if (event === 'CB:message') watch.message(stanza);
    if (event === 'CB:ack,class:message') watch.ack(stanza);
    const kept = keeping(event, stanza);
    if (kept === undefined) return emit(event, ...parts);
    void kept.then(
      () => emit(event, ...parts),
      () => undefined,
    );
    return true;
  };
}
