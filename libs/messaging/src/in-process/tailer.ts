import { setTimeout as delay } from 'node:timers/promises';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { JournalEntry, JournalPlace, ReadEntry } from '@messaging-gateway/event-sourcing';
import { isUnavailable, type Logger } from '@messaging-gateway/runtime';
import { comparePlaces, envelopesOf } from '../envelopes.ts';
import type { EventSource } from '../events.ts';
import { NeedsNewer, untilNewer } from '../until-newer.ts';
import type { Untold } from '../untold.ts';
import type { Channel } from './channel.ts';
import { HandedOver } from './handed-over.ts';

const readAtOnce = 500;
/**
 * Appends that come close together are read together, as a read costs as much as handling some ten events: the more
 * came, the longer the next ones are gathered, milliseconds.
 */
const pauseMs = (entries: number): number => Math.min(20, Math.max(12, 2 * entries));

/** More than that is not read once more, but counted. */
const fewHandedOver = 20;
/** How often an entry that needs a newer version is looked at again, and said to be there, milliseconds. */
const newerMs = 5_000;
const sayNewerMs = 60_000;
/** Waits at a stop for those who write to the journal, milliseconds each. */
const lastLooksMs = [2, 4, 8, 16, 32, 64, 128, 250, 500, 1000] as const;

/**
 * Follows the journal of one schema once for all consumers of this process. What this process appends is handed over as it
 * was written, without being read; whether anything else stands in between, the journal tells a moment later.
 *
 * @see docs/decisions/0468-appends-are-handed-over.md
 */
export class Tailer {
  readonly #source: EventSource;
  readonly #untold: Untold;
  readonly #log: Logger;
  readonly #channels = new Map<string, Set<Channel>>();
  readonly #handedOver = new HandedOver();
  #head: JournalPlace | undefined;
  #told: JournalPlace | undefined;
  #confirming: Promise<void> = Promise.resolve();
  #started: Promise<void> | undefined;
  #stopNews: (() => void) | undefined;
  #news = false;
  #reading: Promise<void> | undefined;
  #stopped = false;
  #saidNewer = -Infinity;

  constructor(source: EventSource, untold: Untold, log: Logger) {
    this.#source = source;
    this.#untold = untold;
    this.#log = log;
  }

  /** Everything up to here was offered to the channels: nothing can come in before it any more. */
  get head(): JournalPlace | undefined {
    return this.#head;
  }

  /** The last place that was offered to the channels. */
  get told(): JournalPlace | undefined {
    return this.#told;
  }

  /** Begins at the end of the journal: what channels have missed before that they read by themselves. */
  start(): Promise<void> {
    this.#started ??= this.#begin();
    return this.#started;
  }

  async #begin(): Promise<void> {
    this.#head = await this.#source.journal.end();
    this.#told = this.#head;
    this.#stopNews = this.#source.journal.onNews(
      () => this.#read(),
      (entries) => this.#take(entries),
    );
  }

  attach(channel: Channel): void {
    const channels = this.#channels.get(channel.kind) ?? new Set();
    this.#channels.set(channel.kind, channels.add(channel));
    channel.start();
    this.#read();
  }

  detach(channel: Channel): void {
    this.#channels.get(channel.kind)?.delete(channel);
  }

  /** Moves the checkpoints of quiet kinds along, so that a restart does not read what does not concern them. */
  moveQuietChannels(): void {
    for (const channels of this.#channels.values()) for (const channel of channels) channel.skip();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopNews?.();
    await this.#reading;
  }

  /** Brings the head to what was told until now, if the journal confirms it before long. */
  confirm(): Promise<void> {
    const told = this.#told;
    this.#confirming = this.#confirming.then(() => this.#confirmNow(told)).catch(() => undefined);
    return this.#confirming;
  }

  async #confirmNow(told: JournalPlace | undefined): Promise<void> {
    for (const wait of lastLooksMs) {
      if (comparePlaces(this.#head, told) >= 0) return;
      const isQuiet = await this.#source.journal.isQuiet();
      if (!(await this.#count(told, isQuiet))) return;
      if (comparePlaces(this.#head, told) < 0) await delay(wait);
    }
  }

  /** Takes what this process has appended, if it follows what was told last. */
  #take(entries: readonly JournalEntry[]): boolean {
    if (entries.every(({ place }) => comparePlaces(place, this.#head) <= 0)) return true;
    if (this.#stopped || !this.#handedOver.add(entries, this.#told)) return false;
    for (const entry of entries) this.#tell(entry);
    return true;
  }

  /**
   * Moves the head on in what was handed over, as far as the journal can tell by now.
   *
   * @param wasQuiet see `JournalReader.isQuiet`: since `told` was told
   * @returns false: something else stands in between, and is to be read
   */
  async #count(told = this.#told, wasQuiet = false): Promise<boolean> {
    const head = this.#head;
    if (told === undefined) return true;
    const counted = await this.#source.journal.count(head, told, wasQuiet);
    if (counted.last === undefined || this.#head !== head) return true;
    if (!this.#handedOver.confirm(counted)) return false;
    this.#head = counted.last;
    this.#keepPlaces();
    return true;
  }

  #keepPlaces(): void {
    for (const channels of this.#channels.values()) for (const channel of channels) channel.keep();
  }

  #read(): void {
    this.#news = true;
    if (this.#stopped || this.#reading !== undefined) return;
    this.#reading = this.#readOn().finally(() => {
      this.#reading = undefined;
      if (this.#news) this.#read();
    });
  }

  async #readOn(): Promise<void> {
    while (this.#news && !this.#stopped) {
      this.#news = false;
      try {
        if (this.#handedOver.count > fewHandedOver) await this.#count();
        const entries = untilNewer(await this.#source.journal.after(this.#head, readAtOnce));
        const fresh = entries.filter((entry) => this.#isFresh(entry));
        this.#keepPlaces();
        if (entries.length === readAtOnce) this.#news = true;
        else if (fresh.length > 0) await delay(pauseMs(fresh.length));
      } catch (error) {
        this.#news = true;
        await this.#waitAfter(error);
      }
    }
  }

  /** In one process nobody else can go on with what is newer: that is said once in a while, and looked at less often. */
  async #waitAfter(error: unknown): Promise<void> {
    const { schema } = this.#source;
    if (!(error instanceof NeedsNewer)) {
      this.#log.warn('Journal not readable', { schema, away: isUnavailable(error), reason: String(error) });
      return delay(500);
    }
    if (performance.now() - this.#saidNewer > sayNewerMs) {
      this.#saidNewer = performance.now();
      this.#log.error('Nothing more is told: a newer version has to read it', { schema, reason: error.message });
    }
    for (let waited = 0; waited < newerMs && !this.#stopped; waited += 250) await delay(250);
  }

  /** Tells what was read, unless it was told before. @returns whether it was news */
  #isFresh(entry: ReadEntry): boolean {
    if (comparePlaces(entry.place, this.#head) <= 0) return false;
    const isKnown = this.#handedOver.read(entry.place);
    if (!isKnown) this.#tell(entry);
    this.#head = entry.place;
    return !isKnown;
  }

  #tell(entry: ReadEntry): void {
    const wanted = (kind: string): boolean => (this.#channels.get(kind)?.size ?? 0) > 0;
    const envelopes = envelopesOf(this.#source, entry, wanted, this.#untold.note);
    const isLate = comparePlaces(entry.place, this.#told) <= 0;
    if (!isLate) this.#told = entry.place;
    for (const kind of new Set(envelopes.map(({ type }) => type))) {
      const ofKind: EventEnvelope[] =
        envelopes.length === 1 ? envelopes : envelopes.filter(({ type }) => type === kind);
      for (const channel of this.#channels.get(kind) ?? []) {
        if (isLate) channel.offerLate(entry.place, ofKind);
        else channel.offer(entry.place, ofKind);
      }
    }
  }
}
