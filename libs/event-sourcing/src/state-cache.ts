/** A stream as far as it is known: its state after so many events, and whose personal data went into it. */
export interface KnownState {
  readonly state: unknown;
  readonly version: number;
  /** Of the last of these events: tells whether the stream is still the one that was read. Absent with version 0. */
  readonly appendId?: string;
  readonly subjects: ReadonlySet<string>;
}

/** Weight of all states of a cache together, at most, by default: about the characters in them. */
const mostWeight = 128 * 2 ** 20;
/** A command on its way when a subject was erased still carries its data: so long it is kept out, milliseconds. */
const keptOutMs = 600_000;

interface Kept {
  readonly known: KnownState;
  readonly weight: number;
}

/**
 * The states of the streams used last, so that their next command needs no load. Both their number and what they hold
 * together are bounded: a tenant can make streams of many megabytes.
 */
export class StateCache {
  readonly #capacity: number;
  readonly #mostWeight: number;
  readonly #kept = new Map<string, Kept>();
  readonly #erased = new Map<string, number>();
  #weight = 0;

  constructor(capacity: number, most = mostWeight) {
    this.#capacity = capacity;
    this.#mostWeight = most;
  }

  get(stream: string): KnownState | undefined {
    const kept = this.#kept.get(stream);
    if (kept === undefined) return undefined;
    this.#kept.delete(stream);
    this.#kept.set(stream, kept);
    return kept.known;
  }

  set(stream: string, known: KnownState): void {
    this.drop(stream);
    if (this.#erased.size > 0 && this.#holdsErased(known)) return;
    const weight = weightOf(known.state);
    if (weight > this.#mostWeight) return;
    this.#kept.set(stream, { known, weight });
    this.#weight += weight;
    while (this.#kept.size > this.#capacity || this.#weight > this.#mostWeight)
      this.drop(this.#kept.keys().next().value as string);
  }

  clear(): void {
    this.#kept.clear();
    this.#weight = 0;
  }

  /** Drops every state that holds data of the subject. */
  forget(subject: string): void {
    for (const [stream, { known }] of this.#kept) if (known.subjects.has(subject)) this.drop(stream);
    const now = performance.now();
    this.#erased.set(subject, now);
    for (const [other, since] of this.#erased) if (since < now - keptOutMs) this.#erased.delete(other);
  }

  drop(stream: string): void {
    this.#weight -= this.#kept.get(stream)?.weight ?? 0;
    this.#kept.delete(stream);
  }

  #holdsErased(known: KnownState): boolean {
    for (const subject of known.subjects) if (this.#erased.has(subject)) return true;
    return false;
  }
}

/** About what a value takes in memory: its texts, and a little for each part. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 16;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  const parts = value instanceof Map || value instanceof Set ? [...value] : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + weightOf(part), 32);
}
