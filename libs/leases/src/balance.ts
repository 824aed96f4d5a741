/** A replica that lives, and how much it holds. */
export interface Standing {
  readonly replicaId: string;
  /** Keys that count. */
  readonly held: number;
  readonly isDraining: boolean;
  /** Since when its heartbeats have come without a gap, milliseconds. */
  readonly beatingForMs: number;
}

/** A replica begins to give when it holds so much of an equal part more than the one with the fewest, two keys at least. */
const tolerance = 0.1;

/**
 * Says whom a replica gives one of its keys to, so that all hold the same, and when it gives nothing: it begins at a
 * difference of a tenth, goes on until there is none, and waits while replicas come and go.
 *
 * @see docs/decisions/0813-keys-move-to-those-who-hold-fewer.md
 */
export class Balance {
  readonly #replicaId: string;
  readonly #settledMs: number;
  #isGiving = false;

  /** @param settledMs nothing is given until all replicas that live have lived for so long, milliseconds */
  constructor(replicaId: string, settledMs: number) {
    this.#replicaId = replicaId;
    this.#settledMs = settledMs;
  }

  /** @returns the replica with the fewest, when this one has more than an equal part and nobody comes or goes */
  receiver(standings: readonly Standing[]): string | undefined {
    const to = this.#receiver(standings);
    this.#isGiving = to !== undefined;
    return to;
  }

  #receiver(standings: readonly Standing[]): string | undefined {
    const own = standings.find(({ replicaId }) => replicaId === this.#replicaId);
    const fewest = byHeld(standings)[0];
    if (own === undefined || fewest === undefined) return undefined;
    if (standings.some(({ isDraining, beatingForMs }) => isDraining || beatingForMs < this.#settledMs))
      return undefined;
    const part = standings.reduce((sum, { held }) => sum + held, 0) / standings.length;
    const more = own.held - fewest.held;
    const least = this.#isGiving ? 2 : Math.max(2, Math.ceil(part * tolerance));
    return own.held > part && more >= least ? fewest.replicaId : undefined;
  }
}

/** Shares what a replica gives up among those that stay: to the one with the fewest, and of these to the youngest. */
export class Heirs {
  readonly #standings: readonly Standing[];
  readonly #given = new Map<string, number>();
  readonly #most: number;

  /** @param most keys that a replica may hold */
  constructor(replicaId: string, standings: readonly Standing[], most = Infinity) {
    this.#standings = standings.filter((one) => one.replicaId !== replicaId && !one.isDraining);
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#standings.length === 0;
  }

  /** @returns who is given the next one; undefined when nobody has room, as far as is known */
  next(): string | undefined {
    const now = this.#standings.map((one) => ({ ...one, held: one.held + (this.#given.get(one.replicaId) ?? 0) }));
    const to = byHeld(now.filter(({ held }) => held < this.#most))[0]?.replicaId;
    if (to !== undefined) this.#given.set(to, (this.#given.get(to) ?? 0) + 1);
    return to;
  }
}

/** Replicas with the fewest leases first; in a rolling update the old ones go after the young ones have come. */
const byHeld = (standings: readonly Standing[]): Standing[] =>
  standings.toSorted((one, other) => one.held - other.held || one.beatingForMs - other.beatingForMs);
