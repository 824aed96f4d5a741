import type { proto } from '@whiskeysockets/baileys';
import type { Encrypted } from '../signal/sessions.ts';

/** Changes of a stanza's attributes: null removes an attribute. */
export type Envelope = Record<string, string | null>;

/** How a stanza differs from an ordinary one in where it comes from. */
export type Addressed = {
  /** Changes of the stanza's attributes: null removes an attribute. */
  envelope?: Envelope | undefined;
  /** Digits of the author's broadcast list that the message is written to. */
  broadcast?: string | undefined;
};

/** A message that a simulated phone wrote, and what became of it. Times are ISO 8601. */
export type WrittenMessage = {
  id: string;
  to: string;
  text: string;
  at: string;
  /** When a linked device confirmed it, or the phone where none is linked. */
  deliveredAt: string | undefined;
  readAt: string | undefined;
  /** The code with which a linked device turned it down: 487 if it had decrypted the same copy before. */
  rejected: string | undefined;
  /** How often a linked device asked for it again. */
  retries: number;
};

type Entry = {
  fact: WrittenMessage;
  content: proto.IMessage;
  /** The copy that is sent again and again, where nobody is to read the message. */
  unreadable: Encrypted | undefined;
  /** Changes of the stanza's addressing, which a repeat has as well. */
  addressed: Addressed;
};

/** Messages that a simulated phone has written, kept so that it can be sent again when asked for. */
export class Outbox {
  private readonly entries = new Map<string, Entry>();

  add(
    fact: Pick<WrittenMessage, 'id' | 'to' | 'text'>,
    content: proto.IMessage,
    { unreadable, ...addressed }: Addressed & { unreadable?: Encrypted } = {},
  ): void {
    if (this.entries.has(fact.id)) return;
    const at = new Date().toISOString();
    this.entries.set(fact.id, {
      content,
      unreadable,
      addressed,
      fact: { ...fact, at, deliveredAt: undefined, readAt: undefined, rejected: undefined, retries: 0 },
    });
  }

  get(id: string): Entry | undefined {
    return this.entries.get(id);
  }

  markReceived(id: string, type: 'delivered' | 'read' | 'played'): void {
    const fact = this.entries.get(id)?.fact;
    if (fact === undefined) return;
    const now = new Date().toISOString();
    fact.deliveredAt ??= now;
    if (type !== 'delivered') fact.readAt ??= now;
  }

  markRejected(id: string, code: string): void {
    const fact = this.entries.get(id)?.fact;
    if (fact !== undefined) fact.rejected = code;
  }

  written(to?: string): WrittenMessage[] {
    const facts = [...this.entries.values()].map((entry) => entry.fact);
    return to === undefined ? facts : facts.filter((fact) => fact.to === to);
  }
}
