import { setTimeout as delay } from 'node:timers/promises';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { JournalEntry, JournalPlace } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Checkpoints } from '../checkpoints.ts';
import { envelopesOf } from '../envelopes.ts';
import { comparePlaces } from '../event-id.ts';
import type { EventSource } from '../events.ts';
import { KeyedWork } from '../keyed-work.ts';
import type { Delivery } from '../delivery.ts';
import { Progress } from '../progress.ts';

/** Events held in memory for one channel, at most. Beyond that it reads from the journal when it has room again. */
const capacity = 1024;
const readAtOnce = 500;

export interface ChannelParts {
  readonly name: string;
  readonly kind: string;
  readonly source: EventSource;
  readonly from: JournalPlace | undefined;
  readonly concurrency: number;
  readonly ordered: boolean;
  readonly delivery: Delivery;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where the tailer of the source stands. */
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
  #live = false;
  #reading: Promise<void> | undefined;
  #stopped = false;

  constructor(parts: ChannelParts) {
    this.#parts = parts;
    this.#work = new KeyedWork(parts.concurrency, parts.clock);
    this.#progress = new Progress(parts.from);
    this.#seen = parts.from;
  }

  get kind(): string {
    return this.#parts.kind;
  }

  /** Everything up to here was handled. */
  get place(): JournalPlace | undefined {
    return this.#progress.place;
  }

  /** Events not handled yet. Exact while it keeps up; beyond what is in memory entries of other kinds count as well. */
  get behind(): number {
    const { unfinished } = this.#progress;
    const head = this.#parts.head();
    if (this.#live || head === undefined) return unfinished;
    return unfinished + Math.max(0, Number(head.position - (this.#seen?.position ?? 0n)));
  }

  start(): void {
    this.#catchUp();
  }

  /** From the tailer: the next entry that tells this kind. */
  offer(place: JournalPlace, envelopes: readonly EventEnvelope[]): void {
    if (!this.#live || comparePlaces(place, this.#seen) <= 0) return;
    if (this.#progress.unfinished >= capacity) {
      this.#live = false;
      return;
    }
    this.#take(place, envelopes);
  }

  /** Handles an event once more, after what its key has waiting. Resolves when it is settled, which it never is after a stop. */
  again(event: EventEnvelope): Promise<void> {
    return new Promise((resolve) => this.#work.add(this.#keyOf(event), this.#parts.delivery.of(event, resolve)));
  }

  /** Remembers that nothing up to the tailer's place concerns this channel. */
  skipTo(place: JournalPlace): void {
    if (this.#live) this.#moveTo(place);
  }

  /** Takes no more; resolves when those in progress are finished. What was not begun comes again after the next start. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const head = this.#live ? this.#parts.head() : undefined;
    this.#live = false;
    const finished = this.#work.stop();
    await this.#reading;
    await finished;
    if (head !== undefined) this.#moveTo(head);
  }

  #keyOf({ id, key }: EventEnvelope): string {
    return this.#parts.ordered ? key : id;
  }

  #moveTo(place: JournalPlace): void {
    if (this.#progress.unfinished > 0 || comparePlaces(place, this.#progress.place) <= 0) return;
    this.#progress.skipTo(place);
    this.#parts.checkpoints.save(this.#parts.name, place);
  }

  #take(place: JournalPlace, envelopes: readonly EventEnvelope[]): void {
    this.#seen = place;
    const finish = this.#progress.begin(place, envelopes.length);
    for (const envelope of envelopes) {
      const attempt = this.#parts.delivery.of(envelope, () => this.#settled(finish));
      const { shuffle } = this.#parts;
      this.#work.add(this.#keyOf(envelope), shuffle === undefined ? attempt : () => delay(shuffle()).then(attempt));
    }
  }

  #settled(finish: () => boolean): void {
    const { checkpoints, name } = this.#parts;
    if (finish() && this.#progress.place !== undefined) checkpoints.save(name, this.#progress.place);
    this.#goOn();
  }

  /** Reads on when there is room again. */
  #goOn(): void {
    if (!this.#live && this.#progress.unfinished <= capacity / 2) this.#catchUp();
  }

  #catchUp(): void {
    if (this.#stopped || this.#live || this.#reading !== undefined) return;
    this.#reading = this.#readOn().finally(() => {
      this.#reading = undefined;
      this.#goOn();
    });
  }

  async #readOn(): Promise<void> {
    while (!this.#stopped && this.#progress.unfinished <= capacity / 2) {
      if (comparePlaces(this.#parts.head(), this.#seen) <= 0) {
        this.#live = true;
        return;
      }
      for (const entry of await this.#read()) this.#takeFrom(entry);
    }
  }

  #takeFrom(entry: JournalEntry): void {
    const { source, kind } = this.#parts;
    const envelopes = envelopesOf(source, entry, (told) => told === kind, this.#parts.log);
    if (envelopes.length > 0) this.#take(entry.place, envelopes);
    else this.#seen = entry.place;
  }

  async #read(): Promise<readonly JournalEntry[]> {
    try {
      return await this.#parts.source.journal.after(this.#seen, readAtOnce);
    } catch {
      await delay(250);
      return [];
    }
  }
}
