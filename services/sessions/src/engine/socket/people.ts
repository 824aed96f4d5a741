import type { Contact } from '@whiskeysockets/baileys';
import type { Change, SessionData } from '../../session-data/session-data-store.ts';
import type { NetworkPerson, PeoplePage } from '../engine.ts';
import { isSelf, person, type Self } from './addresses.ts';
import type { SignalState } from './signal-state.ts';

export interface PeopleParts {
  readonly data: SessionData;
  readonly state: SignalState;
  readonly failed: (error: Error) => void;
}

/** What the network says of somebody: by which name the phone has saved them, and which name they gave themselves. */
export type Told = Pick<Contact, 'id' | 'lid' | 'phoneNumber' | 'name' | 'notify'>;

/** Looked up and written together; others want the session data too. */
const together = 100;
/** Ids in the room: digits of the phone, or this and the LID while no phone is known. */
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
      return { room: 'people', id, value: value && Buffer.from(JSON.stringify(value)) };
    });
    if (changes.length > 0) await data.commit(changes);
  }
}

const read = (value: Buffer): NetworkPerson => JSON.parse(value.toString()) as NetworkPerson;

/** What is told later counts, as far as anything is told. */
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
