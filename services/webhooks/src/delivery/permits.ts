/** Webhook of an organization that wants permits. */
export interface Applicant {
  readonly organizationId: string;
}

/** Attempts under way in a process, at most: bounds memory and sockets. */
const usual = { permits: 2000, reserved: 200 };

/**
 * Permits for attempts under way in this process. An organization may have as many as are free: one that is alone takes
 * half of them, of two that want more each takes a third, and whoever comes next finds permits free, however long the receivers
 * of others keep theirs. Should many come at once, more are reserved for organizations that have none. A permit goes to
 * the organization that has the fewest, within it to its webhooks in turn.
 *
 * @see docs/decisions/0225-concurrency-per-webhook.md
 */
export class AttemptPermits<A extends Applicant> {
  readonly #permits: number;
  readonly #reserved: number;
  #given = 0;
  readonly #givenTo = new Map<string, number>();
  readonly #lines = new Map<string, Set<A>>();

  constructor({ permits, reserved } = usual) {
    this.#permits = permits;
    this.#reserved = reserved;
  }

  /** Permits that are not given back yet. */
  get given(): number {
    return this.#given;
  }

  /** Stands in its organization's line for one permit; whoever stands there already keeps its turn. */
  want(applicant: A): void {
    const line = this.#lines.get(applicant.organizationId);
    if (line === undefined) this.#lines.set(applicant.organizationId, new Set([applicant]));
    else line.add(applicant);
  }

  /** The next applicant, taken out of its line; undefined: nobody wants a permit who may have one now. */
  next(): A | undefined {
    let first: string | undefined;
    let fewest = Infinity;
    for (const organizationId of this.#lines.keys()) {
      const given = this.#givenTo.get(organizationId) ?? 0;
      if (given >= fewest) continue;
      first = organizationId;
      fewest = given;
    }
    const free = this.#permits - this.#given;
    const mayHave = fewest < free || (fewest === 0 && free + this.#reserved > 0);
    return first !== undefined && mayHave ? this.#outOfLine(first) : undefined;
  }

  give({ organizationId }: A): void {
    this.#given += 1;
    this.#givenTo.set(organizationId, (this.#givenTo.get(organizationId) ?? 0) + 1);
  }

  giveBack({ organizationId }: A): void {
    this.#given -= 1;
    const left = (this.#givenTo.get(organizationId) ?? 0) - 1;
    if (left > 0) this.#givenTo.set(organizationId, left);
    else this.#givenTo.delete(organizationId);
  }

  #outOfLine(organizationId: string): A | undefined {
    const line = this.#lines.get(organizationId);
    const [applicant] = line ?? [];
    if (applicant !== undefined) line?.delete(applicant);
    if (line?.size === 0) this.#lines.delete(organizationId);
    return applicant;
  }
}
