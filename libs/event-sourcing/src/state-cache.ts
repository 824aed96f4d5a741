/** What is known of a stream: its state after so many events, and whose personal data went into it. */
export interface KnownState {
  readonly state: unknown;
  readonly version: number;
  readonly subjects: ReadonlySet<string>;
}

/** A command on its way when a subject was erased still carries its data: so long it is kept out, milliseconds. */
const keptOutMs = 600_000;

/** The states of the streams used last, so that their next command needs no load. */
export class StateCache {
  readonly #capacity: number;
  readonly #known = new Map<string, KnownState>();
  readonly #erased = new Map<string, number>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(stream: string): KnownState | undefined {
    const known = this.#known.get(stream);
    if (known === undefined) return undefined;
    this.#known.delete(stream);
    this.#known.set(stream, known);
    return known;
  }

  set(stream: string, known: KnownState): void {
    this.#known.delete(stream);
    if (this.#erased.size > 0 && this.#holdsErased(known)) return;
    this.#known.set(stream, known);
    if (this.#known.size > this.#capacity) this.#known.delete(this.#known.keys().next().value as string);
  }

  /** Drops every state that holds data of the subject. */
  forget(subject: string): void {
    for (const [stream, known] of this.#known) if (known.subjects.has(subject)) this.#known.delete(stream);
    const now = performance.now();
    this.#erased.set(subject, now);
    for (const [other, since] of this.#erased) if (since < now - keptOutMs) this.#erased.delete(other);
  }

  #holdsErased(known: KnownState): boolean {
    for (const subject of known.subjects) if (this.#erased.has(subject)) return true;
    return false;
  }
}
