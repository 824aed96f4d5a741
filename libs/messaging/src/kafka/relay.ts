import type { JournalEntry, JournalPlace } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { envelopesOf } from '../envelopes.ts';
import type { EventSource } from '../events.ts';
import type { Sealing } from '../sealing.ts';
import { outageWait } from '../outage-wait.ts';
import { readableUntil } from '../readable.ts';
import type { KafkaClient, RecordProducer, RecordToSend } from './client.ts';
import type { Faults } from './faults.ts';
import { News } from './news.ts';
import { atMost, pause } from './pause.ts';
import { recordOf } from './record.ts';
import type { RelayLease } from './relay-lease.ts';
import { RelayTerm } from './relay-term.ts';
import { portionsOf } from './portions.ts';
import type { TopicKeeper } from './topic-keeper.ts';
import type { TopicNames } from './topic-names.ts';

const readAtOnce = 500;
/** How often a replica that does not tell looks whether the journal is free, milliseconds. */
const standbyMs = 1_000;
/** How long a stop waits for the broker's last answer, milliseconds. */
const lastPortionMs = 4_000;
/** A broker takes records of a megabyte by default. */
const largestRecord = 1_000_000;

export interface RelayParts {
  readonly source: EventSource;
  readonly lease: RelayLease;
  readonly client: KafkaClient;
  readonly topics: TopicKeeper;
  readonly names: TopicNames;
  readonly kinds: readonly string[];
  readonly retentionDays: number;
  readonly faults: Faults;
  readonly sealing: Sealing | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Tells a journal to Kafka, one replica at a time. Portions go out one after the other, each behind what the broker has
 * confirmed, and a rejected one is told again from there: an event never overtakes an earlier one of its key for the
 * first time, whoever tells it; repeats are possible, and consumers know an event by its id.
 */
export class Relay {
  readonly #parts: RelayParts;
  readonly #stopping = new AbortController();
  readonly #news: News;
  readonly #name: string;
  readonly #finished: Promise<void>;
  #known: JournalPlace | undefined;
  #term: RelayTerm | undefined;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#name = `relay ${parts.source.schema}`;
    this.#news = new News(parts.source.journal);
    this.#finished = this.#run();
  }

  /** How far the journal was told, as far as this replica knows; never too far. */
  get place(): JournalPlace | undefined {
    return this.#known;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#news.stop();
    // A broker that does not answer must not hold up the end of the process.
    await atMost(lastPortionMs, this.#finished);
    await this.#term?.end();
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      try {
        if (!(await this.#turn())) await pause(standbyMs, this.#stopping.signal);
        failures = 0;
        this.#parts.faults.over(this.#name);
      } catch (error) {
        this.#parts.faults.began(this.#name, error);
        await pause(outageWait(Math.min(failures++, 10)), this.#stopping.signal);
      }
    }
  }

  /** @returns whether it was this replica's turn */
  async #turn(): Promise<boolean> {
    const { lease, log, source } = this.#parts;
    const asked = performance.now();
    const taken = await lease.take();
    if (taken === undefined) {
      this.#known = await lease.place();
      return false;
    }
    const { schema } = source;
    log.info('Telling the journal', { schema, epoch: String(taken.epoch) });
    const term = new RelayTerm(lease, taken, asked, (reason) => {
      log.warn('Another replica may tell the journal now', { schema, reason });
      this.#news.ring();
    });
    this.#term = term;
    this.#known = term.place;
    try {
      while (!this.#stopping.signal.aborted && term.holds) await this.#tell(term);
    } finally {
      await term.end();
    }
    return true;
  }

  /** Tells with one producer, until the turn or the producer ends. */
  async #tell(term: RelayTerm): Promise<void> {
    const { topics, names, kinds, client, faults } = this.#parts;
    let producer: RecordProducer | undefined;
    try {
      await topics.ensure(kinds.map((kind) => names.topicOf(kind)));
      producer = await client.producer();
      faults.over(this.#name);
      await this.#follow(term, producer);
    } catch (error) {
      topics.forget();
      faults.began(this.#name, error);
      if (!this.#stopping.signal.aborted && term.holds) await pause(500, this.#stopping.signal);
    } finally {
      // Not waited for: a broker that is away would hold up the next try.
      void producer?.close();
    }
  }

  async #follow(term: RelayTerm, producer: RecordProducer): Promise<void> {
    const { journal } = this.#parts.source;
    let fresh = term.place === undefined;
    while (!this.#stopping.signal.aborted && term.holds) {
      this.#news.read();
      const entries = readableUntil(await journal.after(term.place, readAtOnce));
      const last = entries.at(-1);
      if (last === undefined) {
        await this.#news.come();
        continue;
      }
      const told = fresh ? this.#recent(entries) : entries;
      fresh &&= told.length === 0;
      for (const portion of portionsOf(await this.#records(told))) {
        if (!term.holds) return;
        await producer.send(portion);
      }
      term.told(last.place);
      this.#known = last.place;
    }
  }

  /** From the beginning only what Kafka would still hold if it had been told in its time. */
  #recent(entries: readonly JournalEntry[]): readonly JournalEntry[] {
    const { clock, retentionDays } = this.#parts;
    const oldest = clock.now() - retentionDays * 86_400_000;
    const first = entries.findIndex(({ at }) => at.getTime() >= oldest);
    return first === -1 ? [] : entries.slice(first);
  }

  async #records(entries: readonly JournalEntry[]): Promise<readonly RecordToSend[]> {
    const { source, names, topics, log, sealing } = this.#parts;
    const records = entries
      .flatMap((entry) => envelopesOf(source, entry, () => true, log))
      .map((event) => recordOf(event, names.topicOf(event.type), sealing))
      .filter((record) => this.#fits(record));
    const wanted = [...new Set(records.map(({ topic }) => topic))];
    const there = new Set(await topics.ensure(wanted));
    const missing = wanted.filter((topic) => !there.has(topic));
    if (missing.length > 0) throw new Error(`These topics are missing: ${missing.join(', ')}`);
    return records;
  }

  /** What no broker takes is told to nobody and logged: it must not hold up all that follow. */
  #fits({ topic, key, value }: RecordToSend): boolean {
    const bytes = Buffer.byteLength(value);
    if (bytes <= largestRecord) return true;
    this.#parts.log.error('Event not told: too large', { schema: this.#parts.source.schema, topic, key, bytes });
    return false;
  }
}
