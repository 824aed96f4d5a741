import type { EventEmitter } from 'node:events';
import type { BinaryNode } from '@whiskeysockets/baileys';

export interface StanzaWatch {
  /** Before the library handles an inbound message. */
  message(stanza: BinaryNode): void;
  /** Before the library confirms a receipt: it does so once this has resolved, and never when it rejects. */
  receipt(stanza: BinaryNode): Promise<void>;
  /** The network's acknowledgement of a message of ours. */
  ack(stanza: BinaryNode): void;
}

/**
 * Looks at stanzas on their way from the connection to the library. Receipts are held back until they are kept, since
 * the library confirms them before it tells anybody, and the network repeats only what was not confirmed.
 */
export function watchStanzas(connection: EventEmitter, watch: StanzaWatch): void {
  const emit = connection.emit.bind(connection);
  connection.emit = (event: string | symbol, ...parts: unknown[]): boolean => {
    const stanza = parts[0] as BinaryNode;
    if (event === 'CB:message') watch.message(stanza);
    if (event === 'CB:ack,class:message') watch.ack(stanza);
    if (event !== 'CB:receipt') return emit(event, ...parts);
    void watch.receipt(stanza).then(
      () => emit(event, ...parts),
      () => undefined,
    );
    return true;
  };
}
