import type { JournalPlace } from '@messaging-gateway/event-sourcing';
import { comparePlaces } from '../envelopes.ts';
import { leaseMs, type RelayLease, type Term } from './relay-lease.ts';

/** How often what was told is written down while there is news, milliseconds: a crash repeats that much. */
const saveMs = 300;
/** How often an idle relay renews, milliseconds. */
const renewMs = 1_200;

/** Keeps a relay's turn while it lasts: renews it and writes down how far the journal was told. */
export class RelayTerm {
  readonly #lease: RelayLease;
  readonly #turn: Term;
  readonly #onLost: (reason: string) => void;
  readonly #timer: NodeJS.Timeout;
  #place: JournalPlace | undefined;
  #saved: JournalPlace | undefined;
  #renewed = performance.now();
  #writing: Promise<void> | undefined;
  #lost = false;

  /** @param taken when it was asked for (`performance.now()`) @param onLost called once, when the turn is over */
  constructor(lease: RelayLease, turn: Term, taken: number, onLost: (reason: string) => void) {
    this.#lease = lease;
    this.#turn = turn;
    this.#onLost = onLost;
    this.#place = turn.place;
    this.#saved = turn.place;
    this.#renewed = taken;
    this.#timer = setInterval(() => this.#look(), saveMs / 2).unref();
  }

  /** Whether this relay still may tell. */
  get holds(): boolean {
    return !this.#lost;
  }

  /** Everything up to here was told. */
  get place(): JournalPlace | undefined {
    return this.#place;
  }

  /** The broker has confirmed everything up to here. */
  told(place: JournalPlace): void {
    this.#place = place;
  }

  /** Ends the turn; others may take over at once. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    if (!this.#lost) await this.#lease.release(this.#turn, this.#place).catch(() => undefined);
    this.#lost = true;
  }

  #look(): void {
    const age = performance.now() - this.#renewed;
    if (age > (leaseMs * 2) / 3) return this.#lose('not renewed in time');
    const news = comparePlaces(this.#place, this.#saved) !== 0;
    if (this.#writing === undefined && age > (news ? saveMs : renewMs))
      this.#writing = this.#write().finally(() => (this.#writing = undefined));
  }

  async #write(): Promise<void> {
    const begun = performance.now();
    const place = this.#place;
    try {
      if (!(await this.#lease.keep(this.#turn, place))) return this.#lose('taken over');
      this.#saved = place;
      this.#renewed = begun;
    } catch {
      // The database is away: tried again until the turn has run out.
    }
  }

  #lose(reason: string): void {
    if (this.#lost) return;
    this.#lost = true;
    clearInterval(this.#timer);
    this.#onLost(reason);
  }
}
