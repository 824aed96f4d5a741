import type { JournalPlace, ReadEntry } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { envelopesOf } from '../envelopes.ts';
import type { EventSource } from '../events.ts';
import type { Sealing } from '../sealing.ts';
import { outageWait } from '../outage-wait.ts';
import { NeedsNewer, untilNewer } from '../until-newer.ts';
import { Untold } from '../untold.ts';
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
/** Tries in a row that get no further before the turn is given back. */
const mostFailures = 10;
/** How a turn ended: `another` replica has it, it is `over`, or `given back` as this one cannot go on. */
type Turn = 'another' | 'over' | 'given back';
/** Until the next look, milliseconds. What was given back is left to the others for a while. */
const waitMs: Readonly<Record<Turn, number>> = { another: standbyMs, over: 0, 'given back': 10_000 };
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
  readonly #untold: Untold;
  readonly #finished: Promise<void>;
  #known: JournalPlace | undefined;
  #term: RelayTerm | undefined;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#name = `relay ${parts.source.schema}`;
    this.#news = new News(parts.source.journal);
    this.#untold = new Untold(parts.source, parts.log);
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
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted;) {
      try {
        await pause(waitMs[await this.#turn()], signal);
        failures = 0;
      } catch (error) {
        this.#parts.faults.began(this.#name, error);
        await pause(outageWait(Math.min(failures++, 10)), signal);
      }
    }
  }

  async #turn(): Promise<Turn> {
    const { lease, log, source } = this.#parts;
    const asked = performance.now();
    const taken = await lease.take();
    if (taken === undefined) {
      this.#known = await lease.place();
      this.#parts.faults.over(this.#name);
      return 'another';
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
      return await this.#serve(term);
    } finally {
      await term.end();
    }
  }

  /** Tells until the turn is over, or as long as it gets on: perhaps another replica does. */
  async #serve(term: RelayTerm): Promise<Turn> {
    for (let failures = 0; !this.#stopping.signal.aborted && term.holds;) {
      const { place } = term;
      const needsNewer = await this.#tell(term);
      failures = term.place === place ? failures + 1 : 0;
      if (needsNewer || failures >= mostFailures) return 'given back';
    }
    return 'over';
  }

  /** Tells with one producer, until the turn or the producer ends. @returns whether only a newer version can go on */
  async #tell(term: RelayTerm): Promise<boolean> {
    const { source, topics, names, kinds, client, faults, log } = this.#parts;
    let producer: RecordProducer | undefined;
    try {
      await topics.ensure(kinds.map((kind) => names.topicOf(kind)));
      producer = await client.producer();
      faults.over(this.#name);
      await this.#follow(term, producer);
      return false;
    } catch (error) {
      if (error instanceof NeedsNewer) {
        // No fault of this replica: another one may go on, and all else of the service goes on anyway.
        log.error('Nothing more is told by this version', { schema: source.schema, reason: error.message });
        return true;
      }
      topics.forget();
      faults.began(this.#name, error);
      if (!this.#stopping.signal.aborted && term.holds) await pause(500, this.#stopping.signal);
      return false;
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
      const entries = untilNewer(await journal.after(term.place, readAtOnce));
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
      await this.#untold.kept();
      term.told(last.place);
      this.#known = last.place;
    }
  }

  /** From the beginning only what Kafka would still hold if it had been told in its time. */
  #recent(entries: readonly ReadEntry[]): readonly ReadEntry[] {
    const { clock, retentionDays } = this.#parts;
    const oldest = clock.now() - retentionDays * 86_400_000;
    const first = entries.findIndex(({ at }) => at.getTime() >= oldest);
    return first === -1 ? [] : entries.slice(first);
  }

  async #records(entries: readonly ReadEntry[]): Promise<readonly RecordToSend[]> {
    const { topics } = this.#parts;
    const records = entries.flatMap((entry) => this.#recordsOf(entry));
    const wanted = [...new Set(records.map(({ topic }) => topic))];
    const there = new Set(await topics.ensure(wanted));
    const missing = wanted.filter((topic) => !there.has(topic));
    if (missing.length > 0) throw new Error(`These topics are missing: ${missing.join(', ')}`);
    return records;
  }

  /** Records of an entry. One that no broker takes is told to nobody: it must not hold up all that follow. */
  #recordsOf(entry: ReadEntry): RecordToSend[] {
    const { source, names, sealing } = this.#parts;
    return envelopesOf(source, entry, () => true, this.#untold.note).flatMap((event) => {
      const record = recordOf(event, names.topicOf(event.type), sealing);
      const bytes = Buffer.byteLength(record.value);
      if (bytes <= largestRecord) return [record];
      this.#untold.note(entry, `Its ${event.type} has ${bytes} bytes; a broker takes ${largestRecord}.`);
      return [];
    });
  }
}
