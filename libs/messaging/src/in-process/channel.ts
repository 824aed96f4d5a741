import { setTimeout as delay } from 'node:timers/promises';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { JournalPlace, ReadEntry } from '@messaging-gateway/event-sourcing';
import { isUnavailable, type Logger } from '@messaging-gateway/runtime';
import type { Checkpoints } from '../checkpoints.ts';
import { comparePlaces, envelopesOf } from '../envelopes.ts';
import type { EventSource } from '../events.ts';
import type { KeyedWork } from '../keyed-work.ts';
import type { Delivery } from '../delivery.ts';
import { Progress } from '../progress.ts';
import { NeedsNewer, untilNewer } from '../until-newer.ts';
import type { Untold } from '../untold.ts';

/** Events held in memory for one channel, at most. Beyond that it reads from the journal when it has room again. */
const capacity = 1024;
/** Places between the oldest event in hand and the newest, at most: a crash repeats that many. */
const longestDistance = 100_000;
const readAtOnce = 500;
/** Wait after a read that found nothing, milliseconds. */
const emptyReadMs = 20;

export interface ChannelParts {
  readonly name: string;
  readonly kind: string;
  readonly source: EventSource;
  readonly untold: Untold;
  readonly from: JournalPlace | undefined;
  readonly work: KeyedWork;
  readonly delivery: Delivery;
  readonly checkpoints: Checkpoints;
  readonly log: Logger;
  /** The last place that the tailer of the source has offered. */
  readonly told: () => JournalPlace | undefined;
  /** Up to here nothing can come any more that it has not offered. */
  readonly head: () => JournalPlace | undefined;
  /** Waits before an event is handled, milliseconds: shuffles kinds against each other in tests. */
  readonly shuffle: (() => number) | undefined;
}

/**
 * One kind of one journal on its way to one group. It follows the tailer as long as it keeps up; when it lags it
 * lets go and reads the journal at its own pace, so that nobody waits for it.
 */
export class Channel {
  readonly #parts: ChannelParts;
  readonly #work: KeyedWork;
  readonly #progress: Progress<JournalPlace>;
  #seen: JournalPlace | undefined;
  /** Up to here it has read the journal itself, and so has missed nothing. */
  #sure: JournalPlace | undefined;
  #kept: JournalPlace | undefined;
  /** Events not handled yet that came behind later ones. */
  #late = 0;
  #live = false;
  #reading: Promise<void> | undefined;
  #stopped = false;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
    this.#work = parts.work;
    this.#progress = new Progress(parts.from);
    this.#seen = parts.from;
    this.#sure = parts.from;
    this.#kept = parts.from;
  }

  get kind(): string {
    return this.#parts.kind;
  }

  /** Everything up to here was handled, as far as it is kept. */
  get place(): JournalPlace | undefined {
    return this.#kept;
  }

  /** Events not handled yet. Exact while it keeps up; beyond what is in memory entries of other kinds count as well. */
  get behind(): number {
    const unfinished = this.#progress.unfinished + this.#late;
    const told = this.#parts.told();
    if (this.#live || told === undefined) return unfinished;
    return unfinished + Math.max(0, Number(told.position - (this.#seen?.position ?? 0n)));
  }

  /** How long the oldest event in hand has been there, milliseconds. */
  get oldestMs(): number {
    return this.#progress.ageMs;
  }

  start(): void {
    this.#catchUp();
  }

  /** From the tailer: the next entry that tells this kind. */
  offer(place: JournalPlace, envelopes: readonly EventEnvelope[]): void {
    if (!this.#live || comparePlaces(place, this.#seen) <= 0) return;
    if (this.#isFull) {
      this.#live = false;
      this.#work.hurry();
      return;
    }
    this.#take(place, envelopes);
  }

  /**
   * From the tailer: an entry that stands before others that were offered. It may have been read here already; no place
   * is kept before it was handled.
   */
  offerLate(place: JournalPlace, envelopes: readonly EventEnvelope[]): void {
    if (comparePlaces(place, this.#sure) <= 0) return;
    if (comparePlaces(place, this.#seen) > 0) return this.offer(place, envelopes);
    this.#late += envelopes.length;
    for (const envelope of envelopes) this.#handle(envelope, () => (this.#late -= 1));
  }

  /** Handles an event once more, after what its key has waiting. Resolves when it is settled, which it never is after a stop. */
  again(event: EventEnvelope): Promise<void> {
    return new Promise((resolve) => this.#work.add(event.key, this.#parts.delivery.of(event, resolve)));
  }

  /** Remembers that nothing more up to the tailer's place concerns this channel. */
  skip(): void {
    if (this.#live) this.#skipTo(this.#parts.told());
  }

  /** Keeps the place up to which everything was handled, as far as the journal has confirmed it. */
  keep(): void {
    const { checkpoints, name } = this.#parts;
    const place = earlier(this.#progress.place, this.#confirmed);
    if (this.#late > 0 || place === undefined || comparePlaces(place, this.#kept) <= 0) return;
    this.#kept = place;
    checkpoints.save(name, place);
  }

  /** Takes no more; resolves when those in progress are finished. What was not begun comes again after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const told = this.#live ? this.#parts.told() : undefined;
    this.#live = false;
    const finished = this.#work.stop();
    await this.#reading;
    await finished;
    this.#skipTo(told);
  }

  get #confirmed(): JournalPlace | undefined {
    const head = this.#parts.head();
    return comparePlaces(head, this.#sure) > 0 ? head : this.#sure;
  }

  get #isFull(): boolean {
    return this.#progress.unfinished >= capacity || this.#progress.distance >= longestDistance;
  }

  get #hasRoom(): boolean {
    return this.#progress.unfinished <= capacity / 2 && this.#progress.distance <= longestDistance / 2;
  }

  #skipTo(place: JournalPlace | undefined): void {
    if (place !== undefined && comparePlaces(place, this.#progress.place) > 0) this.#progress.skipTo(place);
    this.keep();
  }

  #take(place: JournalPlace, envelopes: readonly EventEnvelope[]): void {
    this.#seen = place;
    const finish = this.#progress.begin(place, envelopes.length);
    for (const envelope of envelopes) this.#handle(envelope, finish);
  }

  #handle(envelope: EventEnvelope, finish: () => void): void {
    const settled = (): void => {
      finish();
      this.keep();
      this.#goOn();
    };
    const attempt = this.#parts.delivery.of(envelope, settled, (key) =>
      this.#live || this.#hasRoom ? undefined : this.#work.left(key) / this.#progress.unfinished,
    );
    const { shuffle } = this.#parts;
    this.#work.add(envelope.key, shuffle === undefined ? attempt : () => delay(shuffle()).then(attempt));
  }

  /** Reads on when there is room again. */
  #goOn(): void {
    if (!this.#live && this.#hasRoom) this.#catchUp();
  }

  #catchUp(): void {
    if (this.#stopped || this.#live || this.#reading !== undefined) return;
    this.#reading = this.#readOn().finally(() => {
      this.#reading = undefined;
      this.#goOn();
    });
  }

  async #readOn(): Promise<void> {
    while (!this.#stopped && this.#hasRoom) {
      if (comparePlaces(this.#parts.told(), this.#seen) <= 0) {
        this.#live = true;
        return;
      }
      const mayMiss = comparePlaces(this.#seen, this.#confirmed) > 0;
      const entries = await this.#read();
      if (!mayMiss) this.#sure = entries.at(-1)?.place ?? this.#sure;
      for (const entry of entries) this.#takeFrom(entry);
      // What was handed over may be held back still by an open transaction.
      if (entries.length === 0) await delay(emptyReadMs);
    }
    this.#work.hurry();
  }

  #takeFrom(entry: ReadEntry): void {
    const { source, kind, untold } = this.#parts;
    const envelopes = envelopesOf(source, entry, (told) => told === kind, untold.note);
    if (envelopes.length > 0) this.#take(entry.place, envelopes);
    else this.#seen = entry.place;
  }

  async #read(): Promise<readonly ReadEntry[]> {
    try {
      return untilNewer(await this.#parts.source.journal.after(this.#seen, readAtOnce));
    } catch (error) {
      const { name, log } = this.#parts;
      // Of what is newer the tailer speaks, which stands before it as well.
      if (!(error instanceof NeedsNewer))
        log.warn('Journal not readable', { channel: name, away: isUnavailable(error), reason: String(error) });
      await delay(250);
      return [];
    }
  }
}

const earlier = (a: JournalPlace | undefined, b: JournalPlace | undefined): JournalPlace | undefined =>
  comparePlaces(a, b) < 0 ? a : b;
