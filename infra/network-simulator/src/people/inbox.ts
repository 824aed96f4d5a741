import type { proto } from '@whiskeysockets/baileys';
import type { ShownContent, ShownContext } from '../messages/kinds.ts';
import { RecentIds } from './recent-ids.ts';

/** A message as somebody sees it on the phone. Numbers are phone numbers. */
export type ShownMessage = ShownContext & {
  id: string;
  from: string;
  to: string;
  /** Empty when the message is no text. */
  text: string;
  /** The decrypted content. */
  content: ShownContent;
  /** The decrypted message in the network's own format, as JSON; absent while it is unread. */
  raw?: proto.IMessage | undefined;
  /** Attributes of the stanza that a linked device sent; absent for what simulated people write to each other. */
  attributes?: Record<string, string>;
  /** ISO 8601. */
  at: string;
};

/** A message not yet marked as read, with the address that it was written to. */
export type Unread = { id: string; from: string; writtenTo: string };

const READ_KEPT = 1000;

type Waiter = { satisfied(): boolean; resolve(): void };

/** Messages that a simulated phone has shown, each once, in the order shown. */
export class Inbox {
  readonly messages: ShownMessage[] = [];
  private readonly unread = new Map<string, Unread>();
  /** The last that were read, by id. */
  private readonly read = new Map<string, Unread>();
  private readonly known = new RecentIds();
  private readonly waiters = new Set<Waiter>();

  /** @returns false when this message was shown before: a repeat shows nothing */
  show(message: ShownMessage, writtenTo: string): boolean {
    const key = `${message.from} ${message.id}`;
    if (this.known.has(key)) return false;
    this.known.add(key);
    this.messages.push(message);
    this.unread.set(key, { id: message.id, from: message.from, writtenTo });
    for (const waiter of this.waiters) if (waiter.satisfied()) waiter.resolve();
    return true;
  }

  /** Takes back a message that turned out to be unreadable; it may be shown again. */
  hide(message: ShownMessage): void {
    const key = `${message.from} ${message.id}`;
    this.known.delete(key);
    this.unread.delete(key);
    const place = this.messages.indexOf(message);
    if (place >= 0) this.messages.splice(place, 1);
  }

  shown(from?: string): ShownMessage[] {
    return from === undefined ? [...this.messages] : this.messages.filter((message) => message.from === from);
  }

  /** @returns those of the messages chosen that were unread until now */
  markRead({ from, ids }: { from?: string | undefined; ids?: string[] | undefined }): Unread[] {
    const chosen = [...this.unread].filter(
      ([, one]) => (from === undefined || one.from === from) && (ids === undefined || ids.includes(one.id)),
    );
    for (const [key, one] of chosen) {
      this.unread.delete(key);
      this.read.set(one.id, one);
    }
    for (const oldest of this.read.keys()) {
      if (this.read.size <= READ_KEPT) break;
      this.read.delete(oldest);
    }
    return chosen.map(([, one]) => one);
  }

  /** @returns those of the messages that have been read */
  whereRead(ids: string[]): Unread[] {
    return ids.flatMap((id) => this.read.get(id) ?? []);
  }

  /** @returns the messages shown once there are `count`, or those that there are after `timeoutMs` milliseconds */
  async wait(count: number, timeoutMs: number, from?: string): Promise<ShownMessage[]> {
    const satisfied = () => this.messages.length >= count && this.shown(from).length >= count;
    if (!satisfied()) await this.waitUntil(satisfied, timeoutMs);
    return this.shown(from);
  }

  private async waitUntil(satisfied: () => boolean, timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter = { satisfied, resolve };
    const timer = setTimeout(resolve, timeoutMs);
    this.waiters.add(waiter);
    await promise;
    this.waiters.delete(waiter);
    clearTimeout(timer);
  }
}
