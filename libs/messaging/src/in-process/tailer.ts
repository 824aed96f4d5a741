import { setTimeout as delay } from 'node:timers/promises';
import type { EventEnvelope } from '@messaging-gateway/contracts';
import type { JournalEntry, JournalPlace } from '@messaging-gateway/event-sourcing';
import { isUnavailable, type Logger } from '@messaging-gateway/runtime';
import { envelopesOf } from '../envelopes.ts';
import type { EventSource } from '../events.ts';
import type { Channel } from './channel.ts';

const readAtOnce = 500;
/**
 * Appends that come close together are read together, as a read costs as much as handling some ten events: the more
 * came, the longer the next ones are gathered, milliseconds.
 */
const pauseMs = (entries: number): number => Math.min(20, Math.max(12, 2 * entries));

/** Reads the journal of one schema once for all consumers of this process. */
export class Tailer {
  readonly #source: EventSource;
  readonly #log: Logger;
  readonly #channels = new Map<string, Set<Channel>>();
  #head: JournalPlace | undefined;
  #started: Promise<void> | undefined;
  #stopNews: (() => void) | undefined;
  #news = false;
  #reading: Promise<void> | undefined;
  #stopped = false;

  constructor(source: EventSource, log: Logger) {
    this.#source = source;
    this.#log = log;
  }

  /** What was read up to here was offered to the channels. */
  get head(): JournalPlace | undefined {
    return this.#head;
  }

  /** Begins at the end of the journal: what channels have missed before that they read by themselves. */
  start(): Promise<void> {
    this.#started ??= this.#begin();
    return this.#started;
  }

  async #begin(): Promise<void> {
    this.#head = await this.#source.journal.end();
    this.#stopNews = this.#source.journal.onNews(() => this.#read());
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
    if (this.#head === undefined) return;
    for (const channels of this.#channels.values()) for (const channel of channels) channel.skipTo(this.#head);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopNews?.();
    await this.#reading;
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
        const entries = await this.#source.journal.after(this.#head, readAtOnce);
        for (const entry of entries) this.#tell(entry);
        if (entries.length === readAtOnce) this.#news = true;
        else if (entries.length > 0) await delay(pauseMs(entries.length));
      } catch (error) {
        this.#log.warn('Journal not readable', {
          schema: this.#source.schema,
          away: isUnavailable(error),
          reason: String(error),
        });
        this.#news = true;
        await delay(500);
      }
    }
  }

  #tell(entry: JournalEntry): void {
    const envelopes = envelopesOf(this.#source, entry, (kind) => (this.#channels.get(kind)?.size ?? 0) > 0, this.#log);
    this.#head = entry.place;
    for (const kind of new Set(envelopes.map(({ type }) => type))) {
      const ofKind: EventEnvelope[] =
        envelopes.length === 1 ? envelopes : envelopes.filter(({ type }) => type === kind);
      for (const channel of this.#channels.get(kind) ?? []) channel.offer(entry.place, ofKind);
    }
  }
}
