import type { EventEmitter } from 'node:events';
import type { BinaryNode } from '@whiskeysockets/baileys';
import { userOf } from '../wire-format/message-names.ts';

export interface StanzaWatch {
  /** Before the library handles an inbound message. */
  message(stanza: BinaryNode): void;
  /** Before the library confirms a receipt: it does so once this has resolved, and never when it rejects. */
  receipt(stanza: BinaryNode): Promise<void>;
  /** Before the library confirms that a group has changed, in the same way. */
  group(stanza: BinaryNode): Promise<void>;
  /** Whether the session handles a notification itself: the library does not see it then. */
  takes(notification: BinaryNode): boolean;
  /** The network's acknowledgement of a message of ours. */
  ack(stanza: BinaryNode): void;
  /** Whether the connection is still the one in use: what waits in a chat is left alone once it is not. */
  isCurrent(): boolean;
}

type Handler = (stanza: BinaryNode) => Promise<void>;

/**
 * Looks at stanzas on their way from the connection to the library. Receipts and changes of groups are held back until they are kept,
 * since the library confirms them before it tells anybody, and the network repeats only what was not confirmed. Messages and changes of
 * groups are handed on chat by chat, each when the one before it is done with: the library begins all at once, and those
 * that have less to wait for overtake others.
 *
 * @see docs/decisions/0530-order-of-a-chat.md
 */
export function watchStanzas(connection: EventEmitter, watch: StanzaWatch): void {
  const emit = connection.emit.bind(connection);
  const order = new ChatOrder();
  const inTurn = (stanza: BinaryNode, work: () => Promise<unknown>): true => {
    order.take(chatOf(stanza), async () => (watch.isCurrent() ? work() : undefined));
    return true;
  };
  const handled = (stanza: BinaryNode): Promise<unknown> =>
    Promise.all(connection.listeners('CB:message').map((handle) => (handle as Handler)(asLive(stanza))));
  connection.emit = (event: string | symbol, ...parts: unknown[]): boolean => {
    const stanza = parts[0] as BinaryNode;
    const afterwards = (): boolean => emit(event, ...parts);
    if (event === 'CB:message') {
      watch.message(stanza);
      return inTurn(stanza, () => handled(stanza));
    }
    if (event === 'CB:notification' && watch.takes(stanza)) return true;
    if (event === 'CB:notification' && stanza.attrs['type'] === 'w:gp2')
      return inTurn(stanza, () => watch.group(stanza).then(afterwards));
    if (event === 'CB:receipt') {
      void watch.receipt(stanza).then(afterwards, () => undefined);
      return true;
    }
    if (event === 'CB:ack,class:message') watch.ack(stanza);
    return emit(event, ...parts);
  };
}

/**
 * A stanza as if it came just now: those that waited for the client have a line of their own in the library, which says
 * nothing of when it is done with it.
 */
function asLive({ tag, attrs, content }: BinaryNode): BinaryNode {
  const { offline: _, ...others } = attrs;
  return { tag, attrs: others, ...(content !== undefined && { content }) };
}

/** A stanza that is not done with after so long holds up its chat no longer, milliseconds. */
const longestMs = 60_000;

/**
 * Works off what comes in, chat by chat: within a chat one stanza after the other, in the order of the network, whatever
 * each of them waits for; chats beside each other.
 */
export class ChatOrder {
  readonly #longestMs: number;
  readonly #last = new Map<string, Promise<void>>();

  constructor(longest = longestMs) {
    this.#longestMs = longest;
  }

  take(chat: string, work: () => Promise<unknown>): void {
    const turn = (this.#last.get(chat) ?? Promise.resolve()).then(() => this.#ended(work));
    this.#last.set(chat, turn);
    void turn.then(() => {
      if (this.#last.get(chat) === turn) this.#last.delete(chat);
    });
  }

  /** Resolves when the work has ended, or has taken too long. */
  async #ended(work: () => Promise<unknown>): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, this.#longestMs).unref();
    await Promise.race([work().catch(() => undefined), late.promise]);
    clearTimeout(timer);
  }
}

/** The chat that a stanza belongs to: a group, or the other person, by number where that is told, else by LID. */
export function chatOf({ attrs }: BinaryNode): string {
  const { from = '', recipient } = attrs;
  if (from.endsWith('@g.us')) return from;
  const number = recipient === undefined ? attrs['sender_pn'] : (attrs['recipient_pn'] ?? attrs['peer_recipient_pn']);
  return userOf(recipient ?? from, number) ?? from;
}
