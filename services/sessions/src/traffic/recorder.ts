import { namedUuids } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Fact, FactKeeper } from '../engine/engine.ts';
import type { Change, SessionData, Stored } from '../session-data/session-data-store.ts';
import { trafficStream } from './traffic.ts';

export interface RecorderParts {
  readonly organizationId: string;
  readonly data: SessionData;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Kept {
  readonly id: string;
  readonly fact: Fact;
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
 * Brings a profile's facts from the session data into the journal: in their order, many to an append, each exactly
 * once. The stream's name follows from the first fact of the append, so an append that a crash made doubtful is
 * recognised when it is repeated. A fact leaves the session data only when the journal has it.
 */
export class Recorder implements FactKeeper {
  readonly #parts: RecorderParts;
  #queue: Kept[] = [];
  /** There is more on the disk than in the queue, as after a start. */
  #isBehind = true;
  #lastId = 0;
  /** Being written to the disk: seen there, they are in the queue a moment later. */
  readonly #arriving = new Set<string>();
  /** In the journal, and not yet gone from the disk. */
  readonly #removing = new Set<string>();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
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

  keep(facts: readonly Fact[]): { readonly changes: readonly Change[]; kept(): void } {
    const kept = facts.map((fact) => ({ id: this.#nextId(), fact }));
    for (const { id } of kept) this.#arriving.add(id);
    return {
      changes: kept.map(({ id, fact }) => ({ room: 'inbox', id, value: Buffer.from(JSON.stringify(fact)) })),
      kept: () => this.#take(kept),
    };
  }

  /** Rises with time, also over restarts: microseconds, and one more for each fact of the same moment. */
  #nextId(): string {
    this.#lastId = Math.max(this.#lastId + 1, this.#parts.clock.now() * 1000);
    return String(this.#lastId).padStart(17, '0');
  }

  #take(kept: readonly Kept[]): void {
    for (const { id } of kept) this.#arriving.delete(id);
    if (kept.length === 0) return;
    if (this.#isBehind || this.#queue.length >= inMemory) this.#isBehind = true;
    else this.#queue.push(...kept);
    this.#wake();
  }

  #wake(): void {
    if (this.#isStopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#queue.length > 0) this.#wake();
    });
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#isStopped;) {
      try {
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
        this.#queue = [];
        await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 100 * 2 ** failures)).unref());
      }
    }
  }

  async #next(): Promise<readonly Kept[]> {
    if (this.#queue.length > 0) return this.#queue.slice(0, atOnce);
    if (!this.#isBehind) return [];
    // Whatever is kept from here on, also while the disk is read, comes into the queue or is read again.
    this.#isBehind = false;
    const stored = await this.#parts.data.scan('inbox', '', inMemory);
    if (stored.length === inMemory) this.#isBehind = true;
    const known = new Set([...this.#queue.map(({ id }) => id), ...this.#removing, ...this.#arriving]);
    this.#queue = [...stored.map(read).filter(({ id }) => !known.has(id)), ...this.#queue].sort((one, other) =>
      one.id < other.id ? -1 : 1,
    );
    this.#lastId = Math.max(this.#lastId, Number(stored.at(-1)?.id ?? 0));
    return this.#queue.slice(0, atOnce);
  }

  async #record(kept: readonly Kept[]): Promise<void> {
    const { organizationId, data, store } = this.#parts;
    const { profileId } = data;
    const metadata = {
      organizationId,
      profileId,
      subject: `organization:${organizationId}`,
      actor: 'service:sessions',
    };
    const stream = streamIdOf(`${profileId} ${kept[0]?.id}`);
    const { version } = await store.handle(
      trafficStream,
      stream,
      { type: 'RecordFacts', facts: kept.map(({ fact }) => fact) },
      { metadata, ...(kept.every(({ fact }) => fact.kind === 'receipt') && { patienceMs: receiptPatience }) },
    );
    const recorded = kept.slice(0, version);
    // Not waited for: what comes back after a crash is recognised by its stream.
    const done = new Set(recorded.map(({ id }) => id));
    for (const id of done) this.#removing.add(id);
    const removed = (): void => done.forEach((id) => this.#removing.delete(id));
    data
      .commit(
        recorded.map(({ id }) => ({ room: 'inbox', id, value: undefined })),
        removalMs,
      )
      .then(removed, () => undefined);
    this.#queue = this.#queue.filter(({ id }) => !done.has(id));
  }
}

const read = ({ id, value }: Stored): Kept => ({ id, fact: JSON.parse(value.toString()) as Fact });
