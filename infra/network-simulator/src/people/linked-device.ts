import { randomBytes } from 'node:crypto';
import type { BinaryNode } from '@whiskeysockets/baileys';
import type { Connection } from '../connection/connection.ts';
import { node, nowSeconds, SERVER } from '../connection/nodes.ts';
import type { DropMoment } from '../messages/drop-moment.ts';
import type { KeyBundle, PreKey, SignedPreKey } from '../signal/bundle.ts';
import { lidJid, phoneJid, type Addressing } from './jid.ts';
import { Mailbox } from './mailbox.ts';
import type { Person } from './person.ts';

/** A client's words about itself when it asks to be linked. */
export type Registration = {
  noiseKey: Buffer;
  identityKey: Buffer;
  registrationId: number;
  signedPreKey: SignedPreKey;
};

const PRE_KEYS_LOW = 4; // clients send more below five

/** A client linked to somebody's account; it stays linked while it is not connected. */
export class LinkedDevice {
  readonly owner: Person;
  readonly id: number;
  readonly registration: Registration;
  readonly mailbox = new Mailbox();
  readonly preKeys: PreKey[] = [];
  /** The connection it is logged in on. */
  connection: Connection | undefined;
  /** Whether it has said that it is ready for what waits in the mailbox. */
  active = false;
  /** Whether it said that it is in use. */
  presence: 'available' | 'unavailable' | undefined;
  /** People whose presence the device follows, and how it calls them; asked for anew by each connection. */
  readonly watched = new Map<Person, Addressing>();
  /** Whether it has the account's history and settings, the last step after linking. */
  synchronized = false;
  /** When its connection is to break. */
  dropAt: DropMoment | undefined;
  /** By author, what the author's next message overtakes. */
  private readonly late = new Map<Person, BinaryNode[]>();
  /** How many confirmations of a message id belong to a copy that the device could not read. */
  readonly unreadable = new Map<string, number>();

  constructor(owner: Person, id: number, registration: Registration) {
    this.owner = owner;
    this.id = id;
    this.registration = registration;
  }

  get jid(): string {
    return phoneJid(this.owner.phone, this.id);
  }

  get lidJid(): string {
    return lidJid(this.owner.lid, this.id);
  }

  /** Hands over now if it can, and in any case keeps the stanza until it is confirmed. */
  deliver(stanza: BinaryNode): void {
    this.mailbox.add(stanza);
    if (this.active) this.connection?.send(stanza);
  }

  /** @param late after the author's next message */
  deliverFrom(author: Person, stanza: BinaryNode, late = false): void {
    const overtaken = this.late.get(author) ?? [];
    if (late) {
      this.late.set(author, [...overtaken, stanza]);
      return;
    }
    this.late.delete(author);
    for (const one of [stanza, ...overtaken]) this.deliver(one);
  }

  /** The keys with which another device opens a session with this one; uses up a one-time key. */
  bundle(): KeyBundle {
    const { registrationId, identityKey, signedPreKey } = this.registration;
    const preKey = this.preKeys.shift();
    if (this.preKeys.length === PRE_KEYS_LOW) this.deliver(preKeysLow(PRE_KEYS_LOW));
    return { registrationId, identityKey, signedPreKey, preKey };
  }
}

/** Tells a device that it should send more one-time keys. */
function preKeysLow(left: number): BinaryNode {
  const attributes = { from: `@${SERVER}`, type: 'encrypt', id: randomBytes(6).toString('hex'), t: nowSeconds() };
  return node('notification', attributes, [node('count', { value: String(left) })]);
}
