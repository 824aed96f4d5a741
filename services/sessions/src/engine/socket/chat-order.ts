import type { BinaryNode } from '@whiskeysockets/baileys';
import { userOf } from './message-names.ts';

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
