import type { proto } from '@whiskeysockets/baileys';
import type { Person } from './person.ts';

/** A message that a phone can still look at: to quote it, to react to it, to read the votes of a poll. */
export type Remembered = { author: Person; message: proto.IMessage };

const CAPACITY = 1000;

/** The last messages that a simulated phone wrote or was shown, by id. */
export class Memory {
  private readonly messages = new Map<string, Remembered>();

  keep(id: string, remembered: Remembered): void {
    this.messages.set(id, remembered);
    if (this.messages.size <= CAPACITY) return;
    const [oldest] = this.messages.keys();
    if (oldest !== undefined) this.messages.delete(oldest);
  }

  get(id: string): Remembered | undefined {
    return this.messages.get(id);
  }
}
