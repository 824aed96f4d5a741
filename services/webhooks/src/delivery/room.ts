/** A webhook that wants places. */
export interface Guest {
  readonly organizationId: string;
}

/** Attempts under way in a process, at most: bounds memory and sockets. */
const usual = { places: 2000, reserved: 200 };

/**
 * The places for attempts under way in this process. An organization may have as many as are free: one that is alone takes
 * half of them, of two that want more each takes a third, and whoever comes next finds places free, however long the receivers
 * of others keep theirs. Should many come at once, more places are reserved for organizations that have none. A place goes to
 * the organization that has the fewest, within it to its webhooks in turn.
 *
 * @see docs/decisions/0225-concurrency-per-webhook.md
 */
export class Room<G extends Guest> {
  readonly #places: number;
  readonly #reserved: number;
  #taken = 0;
  readonly #takenBy = new Map<string, number>();
  readonly #lines = new Map<string, Set<G>>();

  constructor({ places, reserved } = usual) {
    this.#places = places;
    this.#reserved = reserved;
  }

  /** Places taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Stands in its organization's line for one place; whoever stands there already keeps its turn. */
  want(guest: G): void {
    const line = this.#lines.get(guest.organizationId);
    if (line === undefined) this.#lines.set(guest.organizationId, new Set([guest]));
    else line.add(guest);
  }

  /** Whose turn it is, taken out of its line; undefined: nobody wants a place who may have one now. */
  next(): G | undefined {
    let first: string | undefined;
    let fewest = Infinity;
    for (const organizationId of this.#lines.keys()) {
      const taken = this.#takenBy.get(organizationId) ?? 0;
      if (taken >= fewest) continue;
      first = organizationId;
      fewest = taken;
    }
    const free = this.#places - this.#taken;
    const mayEnter = fewest < free || (fewest === 0 && free + this.#reserved > 0);
    return first !== undefined && mayEnter ? this.#outOfLine(first) : undefined;
  }

  enter({ organizationId }: G): void {
    this.#taken += 1;
    this.#takenBy.set(organizationId, (this.#takenBy.get(organizationId) ?? 0) + 1);
  }

  leave({ organizationId }: G): void {
    this.#taken -= 1;
    const left = (this.#takenBy.get(organizationId) ?? 0) - 1;
    if (left > 0) this.#takenBy.set(organizationId, left);
    else this.#takenBy.delete(organizationId);
  }

  #outOfLine(organizationId: string): G | undefined {
    const line = this.#lines.get(organizationId);
    const [guest] = line ?? [];
    if (guest !== undefined) line?.delete(guest);
    if (line?.size === 0) this.#lines.delete(organizationId);
    return guest;
  }
}
