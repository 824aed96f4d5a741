import { AddressBook } from './address-book.ts';
import { PrimaryKeys } from '../signal/primary-keys.ts';
import { SenderKeys } from '../signal/sender-keys.ts';
import { Sessions } from '../signal/sessions.ts';
import { ORDINARY, type Behaviour } from './behaviour.ts';
import { Inbox } from './inbox.ts';
import { lidJid, phoneJid, type Addressing } from './jid.ts';
import { LinkedDevice, type Registration } from './linked-device.ts';
import { Memory } from './memory.ts';
import { Outbox } from './outbox.ts';
import type { Past } from './past.ts';
import { Reading } from './reading.ts';
import type { Allowance } from './restriction.ts';
import { RecentIds } from './recent-ids.ts';
import { Typing, type PersonPresence } from './typing.ts';

const RESERVED_DEVICE = 99;

/** Somebody with a number on the network: a simulated phone, and the clients linked to it. */
export class Person {
  readonly phone: string;
  readonly lid: string;
  readonly keys: PrimaryKeys;
  readonly sessions: Sessions;
  readonly senderKeys: SenderKeys;
  readonly inbox = new Inbox();
  readonly reading = new Reading();
  readonly outbox = new Outbox();
  readonly memory = new Memory();
  readonly typing = new Typing();
  /** Everybody is there who did not say otherwise. */
  presence: PersonPresence = { state: 'available' };
  /** Whom the owner has saved on the phone. */
  readonly addressBook = new AddressBook();
  /** Messages from before any client was linked. */
  past: Past | undefined;
  readonly devices = new Map<number, LinkedDevice>();
  /** Ids of messages that the network has taken from this account. */
  readonly taken = new RecentIds();
  /** Ids of those that somebody asked this account to send again, with the devices that asked (LID and number). */
  readonly retriesWanted = new Map<string, Set<string>>();
  /** People whose clients know this account's devices, and have to be told when they change. */
  readonly watchers = new Set<Person>();
  behaviour: Behaviour = { ...ORDINARY };
  /** What the network allows the account. */
  readonly allowance: Allowance = { restriction: null, newChats: null };
  pushName: string;
  private nextDevice = 1;
  private readonly retries = new Map<string, number>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(seed: string, phone: string, lid: string) {
    this.phone = phone;
    this.lid = lid;
    this.pushName = `Phone ${phone.slice(-4)}`;
    this.keys = new PrimaryKeys(seed, phone);
    this.sessions = new Sessions(this.keys, lid);
    this.senderKeys = new SenderKeys(lid);
  }

  jid(addressing: Addressing): string {
    return addressing === 'lid' ? lidJid(this.lid) : phoneJid(this.phone);
  }

  link(registration: Registration): LinkedDevice {
    if (this.nextDevice === RESERVED_DEVICE) this.nextDevice += 1;
    const device = new LinkedDevice(this, this.nextDevice++, registration);
    this.devices.set(device.id, device);
    return device;
  }

  /** Takes back a client that was linked before. */
  relink(id: number, registration: Registration): void {
    const device = new LinkedDevice(this, id, registration);
    device.synchronized = true;
    this.devices.set(id, device);
    this.nextDevice = Math.max(this.nextDevice, id + 1);
  }

  /**
   * Runs one piece of writing after the other, so that messages arrive in the order in which they were written,
   * and after everything that came is read: an answer continues the session that the message opened.
   */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.turn.then(() => this.reading.finish()).then(work);
    this.turn = mine.catch(() => {});
    return mine;
  }

  /** @returns how often this message has now been asked for again */
  countRetry(message: string): number {
    const count = (this.retries.get(message) ?? 0) + 1;
    this.retries.set(message, count);
    return count;
  }
}
