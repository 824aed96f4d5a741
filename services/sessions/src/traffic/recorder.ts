import { namedUuids } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Fact, FactKeeper, Keeping } from '../engine/engine.ts';
import type { SessionData, Stored } from '../session-data/session-data-store.ts';
import { FactIds } from './fact-ids.ts';
import { accountTrafficStream, firstRun, recordedOf, trafficStream, type KeptFact } from './traffic.ts';

export interface RecorderParts {
  readonly organizationId: string;
  readonly data: SessionData;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Facts in one append, and in memory at the same time; the others wait on the disk. */
const atOnce = 100;
const inMemory = 1_000;
/** How long a removal may wait for another commit to go with. */
const removalMs = 100;
/** How long receipts may wait for other profiles' facts to go with: they lie on the disk already. */
const receiptPatience = 50;
const streamIdOf = namedUuids('7a0c5dd0-6a4e-53b1-8d0e-3d8a5f0b6f1c');

/**
 * Brings a profile's facts from the session data into the journal: in the order of their commits, many to an append,
 * each exactly once. The stream's name follows from the first fact of the append, so an append that a crash made doubtful
 * is recognised when it is repeated, and names the facts that it holds. A fact leaves the session data only when the
 * journal has it.
 */
export class Recorder implements FactKeeper {
  readonly #parts: RecorderParts;
  readonly #ids: FactIds;
  /** By rising id. */
  #queue: KeptFact[] = [];
  /** Whether the disk holds more than the queue, as after a start. */
  #isBehind = true;
  /** Up to here the disk has been read. */
  #readTo = '';
  /** Whether facts have come since the disk was last looked at. */
  #isNews = false;
  /** Being written to the disk, by rising id: seen there, they are in the queue a moment later, and before all that are newer. */
  readonly #arriving = new Set<string>();
  /** In the journal, and not yet gone from the disk. */
  readonly #removing = new Set<string>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  private constructor(parts: RecorderParts, ids: FactIds) {
    this.#parts = parts;
    this.#ids = ids;
  }

  /** @throws SessionDataUnavailable */
  static async over(parts: RecorderParts): Promise<Recorder> {
    return new Recorder(parts, await FactIds.behind(parts.data, 'inbox', parts.clock));
  }

  /** Takes up what the journal had not taken when the process ended. */
  start(): void {
    this.#wake();
  }

  /** Ends after the append that is under way; the rest stays on the disk. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  keep(facts: readonly Fact[]): Keeping {
    let kept: readonly KeptFact[] = [];
    return {
      changes: () => {
        kept = facts.map((fact) => ({ id: this.#ids.next(), fact }));
        for (const { id } of kept) this.#arriving.add(id);
        return kept.map(({ id, fact }) => ({ table: 'inbox', id, value: Buffer.from(JSON.stringify(fact)) }));
      },
      kept: () => this.#take(kept),
    };
  }

  #take(kept: readonly KeptFact[]): void {
    const [first] = kept;
    if (first === undefined) return;
    for (const { id } of kept) this.#arriving.delete(id);
    if (this.#isBehind || this.#queue.length >= inMemory) {
      // They are read from the disk, and so is what has its place behind them.
      this.#isBehind = true;
      this.#queue = this.#queue.filter(({ id }) => id < first.id);
    } else this.#queue = merged(this.#queue, kept);
    this.#wake();
  }

  /** Kept facts that may be recorded: nothing that was committed before them is still on its way. */
  #ready(): readonly KeptFact[] {
    const [arriving] = this.#arriving;
    const ready = this.#queue.slice(0, atOnce);
    return arriving === undefined ? ready : ready.filter(({ id }) => id < arriving);
  }

  #wake(): void {
    if (this.#isStopped) return;
    this.#isNews = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isNews) this.#wake();
    });
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#isStopped;) {
      try {
        this.#isNews = false;
        const facts = await this.#next();
        if (facts.length === 0) return;
        await this.#record(facts);
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#parts.log.warn('Facts from the network wait for the journal', {
          profileId: this.#parts.data.profileId,
          reason: (error as Error).message,
        });
        this.#isBehind = true;
        this.#readTo = '';
        this.#queue = [];
        await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 100 * 2 ** failures)).unref());
      }
    }
  }

  async #next(): Promise<readonly KeptFact[]> {
    while (this.#isBehind && this.#queue.length === 0) {
      // Whatever is kept from here on, also while the disk is read, comes into the queue or is read again.
      this.#isBehind = false;
      const stored = await this.#parts.data.scan('inbox', this.#readTo, inMemory);
      const [arriving] = this.#arriving;
      const whole = arriving === undefined ? stored : stored.filter(({ id }) => id < arriving);
      this.#isBehind ||= stored.length === inMemory || whole.length < stored.length;
      const known = new Set([...this.#queue.map(({ id }) => id), ...this.#removing]);
      this.#queue = merged(whole.filter(({ id }) => !known.has(id)).map(read), this.#queue);
      this.#readTo = whole.at(-1)?.id ?? this.#readTo;
      if (whole.length < stored.length) break;
    }
    return this.#ready();
  }

  /** Records the first facts of `next` that go to the same stream. */
  async #record(next: readonly KeptFact[]): Promise<void> {
    const { organizationId, data, store } = this.#parts;
    const run = firstRun(next);
    const kept: readonly KeptFact[] = run.facts;
    const { profileId } = data;
    const metadata = {
      organizationId,
      profileId,
      subject: `organization:${organizationId}`,
      actor: 'service:sessions',
    };
    const stream = streamIdOf(`${profileId} ${kept[0]?.id}`);
    const isPatient = kept.every(({ fact }) => fact.kind === 'receipt');
    const options = { metadata, ...(isPatient && { patienceMs: receiptPatience }) };
    const { state } =
      run.stream === 'account'
        ? await store.handle(accountTrafficStream, stream, { type: 'RecordFacts', facts: run.facts }, options)
        : await store.handle(trafficStream, stream, { type: 'RecordFacts', facts: run.facts }, options);
    const recorded = recordedOf(kept, state);
    // Not waited for: what comes back after a crash is recognised by its stream.
    const done = new Set(recorded.map(({ id }) => id));
    for (const id of done) this.#removing.add(id);
    const removed = (): void => done.forEach((id) => this.#removing.delete(id));
    data
      .commit(
        recorded.map(({ id }) => ({ table: 'inbox', id, value: undefined })),
        removalMs,
      )
      .then(removed, () => undefined);
    this.#queue = this.#queue.filter(({ id }) => !done.has(id));
    const last = recorded.at(-1)?.id ?? '';
    if (last > this.#readTo) this.#readTo = last;
  }
}

const read = ({ id, value }: Stored): KeptFact => ({ id, fact: JSON.parse(value.toString()) as Fact });

/** Two lists by rising id as one; the other one mostly belongs behind. */
function merged(queue: readonly KeptFact[], others: readonly KeptFact[]): KeptFact[] {
  const both = [...queue, ...others];
  const [last, first] = [queue.at(-1), others[0]];
  if (last === undefined || first === undefined || last.id < first.id) return both;
  return both.sort((one, other) => (one.id < other.id ? -1 : 1));
}
