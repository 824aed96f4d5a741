import type { Contact, WASocket } from '@whiskeysockets/baileys';
import { Refused } from '@messaging-gateway/messaging';
import type { Change, SessionData } from '../../../session-data/session-data-store.ts';
import type { KnownNumber, NetworkPerson, PeoplePage } from '../../engine.ts';
import { isSelf, person, type Self } from '../wire-format/addresses.ts';
import type { SignalState } from '../signal/signal-state.ts';
import { addressesOfNumbers } from '../wire-format/number-query.ts';

export interface PeopleParts {
  readonly data: SessionData;
  readonly state: SignalState;
  readonly failed: (error: Error) => void;
}

/** The names that the network tells of somebody: by which one the phone has saved them, and which name they gave themselves. */
export type Told = Pick<Contact, 'id' | 'lid' | 'phoneNumber' | 'name' | 'notify'>;

/** Looked up and written together; others want the session data too. */
const together = 100;
/** Ids in the table: digits of the phone, or this and the LID while no phone is known. */
const lidMark = 'lid:';

/** People of whom the network has told, kept beside the session. */
export class People {
  readonly #parts: PeopleParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /** Notes what was told, in its order. What was known and is not told again stays. */
  take(told: readonly Told[], self: Self): void {
    this.#last = this.#last.then(() => this.#note(told, self)).catch((error: Error) => this.#parts.failed(error));
  }

  /** Resolves when everything that was told is kept. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** @param after where the page before ended; empty for the first one */
  async page(after: string, limit: number): Promise<PeoplePage> {
    const entries = await this.#parts.data.scan('people', after, limit);
    const next = entries.length === limit ? entries.at(-1)?.id : undefined;
    return { people: entries.map(({ value }) => read(value)), ...(next !== undefined && { next }) };
  }

  async #note(told: readonly Told[], self: Self): Promise<void> {
    const others = told.filter(({ id }) => !isSelf(id, self));
    for (let from = 0; from < others.length; from += together)
      await this.#noteSome(others.slice(from, from + together));
  }

  async #noteSome(told: readonly Told[]): Promise<void> {
    const { data, state } = this.#parts;
    const all = (await Promise.all(told.map((one) => personOf(one, state)))).filter((one) => one !== undefined);
    const ids = [...new Set(all.flatMap(idsOf))];
    const before = await data.read('people', ids);
    const known = new Map(ids.map((id, index) => [id, before[index] && read(before[index])]));
    const changed = new Set<string>();
    for (const one of all) {
      const [id = '', ...others] = idsOf(one);
      const merged = [...others, id].map((each) => known.get(each)).reduce<NetworkPerson>(joined, {});
      known.set(id, joined(merged, one));
      changed.add(id);
      for (const other of others) if (known.get(other) !== undefined) changed.add(other);
      for (const other of others) known.set(other, undefined);
    }
    const changes = [...changed].map((id): Change => {
      const value = known.get(id);
      return { table: 'people', id, value: value && Buffer.from(JSON.stringify(value)) };
    });
    if (changes.length > 0) await data.commit(changes);
  }
}

const read = (value: Buffer): NetworkPerson => JSON.parse(value.toString()) as NetworkPerson;

/** A person by two reports: the later one counts, as far as it tells anything. */
const joined = (before: NetworkPerson, told: NetworkPerson | undefined): NetworkPerson => ({ ...before, ...told });

/** The id of a person, and that under which the person may have been kept before. */
function idsOf({ phone, lid }: NetworkPerson): string[] {
  const ofLid = lid === undefined ? [] : [`${lidMark}${lid}`];
  return phone === undefined ? ofLid : [phone, ...ofLid];
}

/** Undefined for what is no person, or of whom nothing is told. */
async function personOf(told: Told, state: SignalState): Promise<NetworkPerson | undefined> {
  const { id, lid, phoneNumber, name, notify } = told;
  const found = await person(id, id.endsWith('lid') ? phoneNumber : lid, state);
  if (found === undefined || !(name || notify)) return undefined;
  return {
    ...(found.phone !== undefined && { phone: found.phone }),
    ...(found.lid !== undefined && { lid: found.lid }),
    ...(name && { name }),
    ...(notify && { pushName: notify }),
  };
}

/** The part of the account's state that holds the phone's address book. */
const addressBook = 'critical_unblock_low';

/** Notes the people of whom the network tells by itself: when the client is linked, and when the phone saves somebody. */
export function takePeople(socket: WASocket, people: People, self: () => Self): void {
  socket.ev.on('contacts.upsert', (told) => people.take(told, self()));
  // Names of chats are not always those in the address book, which comes by itself.
  socket.ev.on('messaging-history.set', ({ contacts }) =>
    people.take(
      contacts.map(({ name: _ofChat, ...told }) => told),
      self(),
    ),
  );
}

/**
 * Reads the phone's address book anew, from its beginning: what the client was told before may have been lost with a
 * process that was killed.
 *
 * @throws Refused ENGINE_TIMEOUT when the network does not give it
 */
export async function readAddressBook(socket: WASocket, people: People, state: SignalState): Promise<void> {
  await state.set({ 'app-state-sync-version': { [addressBook]: null } });
  try {
    await socket.resyncAppState([addressBook], false);
  } catch {
    throw new Refused('ENGINE_TIMEOUT', "The network does not hand over the phone's address book now.");
  }
  // The library holds events back for a moment.
  socket.ev.flush();
  await people.settled();
}

/**
 * Finds which of the phones are on the network.
 *
 * @throws Refused ENGINE_TIMEOUT when the network does not answer
 */
export const onNetwork = (socket: WASocket, phones: readonly string[]): Promise<readonly KnownNumber[]> =>
  addressesOfNumbers(socket, phones).catch((error: Error) => {
    throw new Refused('ENGINE_TIMEOUT', `The network did not say who is on it: ${error.message}`);
  });
