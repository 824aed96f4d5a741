import type { BinaryNode } from '@whiskeysockets/baileys';
import { parseJid } from './jid.ts';

/**
 * Stanzas that wait for a linked device, oldest first.
 * A stanza stays until the device has confirmed it, so that a lost connection loses nothing:
 * whatever is left is delivered again at the next login.
 */
export class Mailbox {
  private readonly waiting = new Map<number, BinaryNode>();
  private readonly byKey = new Map<string, number[]>();
  private next = 0;

  get size(): number {
    return this.waiting.size;
  }

  add(stanza: BinaryNode): void {
    const { id, from, participant, type } = stanza.attrs;
    const key = keyOf(stanza.tag, id, participant ?? from, type);
    const place = this.next++;
    this.waiting.set(place, stanza);
    const places = this.byKey.get(key);
    if (places === undefined) this.byKey.set(key, [place]);
    else places.push(place);
  }

  /**
   * @param peer whom the stanza is from; in a group the member
   * @returns whether something was waiting under this name
   */
  confirm(tag: string, id: string | undefined, peer: string | undefined, type?: string): boolean {
    const key = keyOf(tag, id, peer, type);
    const places = this.byKey.get(key);
    const place = places?.shift();
    if (places === undefined || place === undefined) return false;
    if (places.length === 0) this.byKey.delete(key);
    return this.waiting.delete(place);
  }

  stanzas(): BinaryNode[] {
    return [...this.waiting.values()];
  }

  clear(): void {
    this.waiting.clear();
    this.byKey.clear();
  }
}

// Receipts of one message differ by type (delivered, read); the type of a message says nothing about who it is.
function keyOf(tag: string, id: string | undefined, peer: string | undefined, type: string | undefined): string {
  return `${tag} ${id ?? ''} ${parseJid(peer)?.user ?? peer ?? ''} ${tag === 'receipt' ? (type ?? '') : ''}`;
}
