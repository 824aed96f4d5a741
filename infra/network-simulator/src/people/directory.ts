import { derive } from '../keys/seed.ts';
import { parseJid, phoneJid } from './jid.ts';
import type { LinkedDevice } from './linked-device.ts';
import { Person } from './person.ts';

const PHONE_NUMBER = /^[1-9]\d{4,14}$/;

/** Everybody on the network. Whoever is asked for comes into being, unless the number is set absent. */
export class Directory {
  private readonly seed: string;
  private readonly byPhone = new Map<string, Person>();
  private readonly byLid = new Map<string, Person>();
  /** Canonical number by each other form of it. */
  private readonly aliases = new Map<string, string>();

  constructor(seed: string) {
    this.seed = seed;
  }

  /** @returns undefined when this can't be a phone number */
  person(phone: string): Person | undefined {
    const known = this.byPhone.get(phone);
    if (known !== undefined || !PHONE_NUMBER.test(phone)) return known;
    const person = new Person(this.seed, phone, this.lidOf(phone));
    this.byPhone.set(phone, person);
    this.byLid.set(person.lid, person);
    return person;
  }

  /** From now on the number is another form of `canonical`: queries by number return that one, and nobody is reached under it. */
  alias(number: string, canonical: string): void {
    this.aliases.set(number, canonical);
  }

  /** The person that a query by number finds. */
  byNumber(number: string): Person | undefined {
    return this.find(phoneJid(this.aliases.get(number) ?? number));
  }

  /** The person at an address, whichever of the person's addresses it is. */
  find(jid: string | undefined): Person | undefined {
    const parsed = parseJid(jid);
    if (parsed === undefined || (parsed.addressing === 'phone' && this.aliases.has(parsed.user))) return undefined;
    const person = parsed.addressing === 'lid' ? this.byLid.get(parsed.user) : this.person(parsed.user);
    return person?.behaviour.exists === true ? person : undefined;
  }

  device(jid: string): LinkedDevice | undefined {
    return this.find(jid)?.devices.get(parseJid(jid)?.device ?? 0);
  }

  everybody(): Iterable<Person> {
    return this.byPhone.values();
  }

  // Fifteen digits that tell nothing about the number, as on the real network.
  private lidOf(phone: string): string {
    const digits = derive(this.seed, `lid:${phone}`).readBigUInt64BE() % 100_000_000_000_000n;
    return String(100_000_000_000_000n + digits);
  }
}
