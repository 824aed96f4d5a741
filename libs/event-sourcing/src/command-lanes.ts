import { isUnavailable, Unavailable, type Clock } from '@messaging-gateway/runtime';
import { entriesWritten, type BatchWriter, type GroupOutcome } from './append-batch.ts';
import {
  type Decided,
  decideGroup,
  type Group,
  type PendingCommand,
  type StateCache,
  streamName,
} from './decide-group.ts';
import type { Doorbell } from './doorbell.ts';
import type { EventStore, HandleOptions } from './event-store.ts';
import type { RecordedEvent } from './journal-entry.ts';
import type { JournalLine } from './journal-line.ts';
import type { StateLoader } from './load-states.ts';
import type { Snapshots } from './snapshots.ts';
import { holdsPersonalData } from './event-codec.ts';
import type { KnownState, UntypedStreamType } from './stream-type.ts';
import type { SubjectKeys } from './subject-keys.ts';
import type { InlineView } from './view.ts';

interface CommandLanesOptions {
  readonly loader: StateLoader;
  readonly writer: BatchWriter;
  readonly keys: SubjectKeys;
  readonly line: JournalLine;
  readonly cache: StateCache;
  readonly snapshots: Snapshots;
  readonly views: readonly InlineView[];
  readonly clock: Clock;
  readonly doorbell: Doorbell;
  readonly isNews: (event: RecordedEvent) => boolean;
  readonly guardNames: ReadonlySet<string>;
  readonly completed: (given: HandleOptions) => HandleOptions;
  readonly appended: (given: HandleOptions) => void;
  readonly onFault: (fault: unknown) => void;
}

/** The commands of a process on their way into the journal: in order by stream, in batches across streams. */
export class CommandLanes {
  readonly #options: CommandLanesOptions;
  readonly #lanes = new Map<string, StreamLane>();
  readonly #personal = new Map<UntypedStreamType, boolean>();
  readonly #ready: FlushQueue<StreamLane>;
  readonly #toLoad: FlushQueue<StreamLane>;
  #settled: (() => void)[] = [];
  #isClosed = false;

  constructor(options: CommandLanesOptions) {
    this.#options = options;
    this.#ready = new FlushQueue((lanes, stuck) => this.#write(lanes, stuck));
    this.#toLoad = new FlushQueue((lanes) => this.#load(lanes));
  }

  /** @see EventStore */
  readonly handle = (async (type, id, command, given) => {
    if (this.#isClosed) throw new Unavailable('The store is closed.');
    const options = this.#options.completed(given);
    const { guard } = options;
    if (guard !== undefined && !this.#options.guardNames.has(guard.name))
      throw new Error(`There is no guard "${guard.name}".`);
    const stream = streamName(type.name, id);
    return new Promise<unknown>((resolve, reject) => {
      const pending = { command, options, resolve, reject, repeated: false };
      const lane = this.#lanes.get(stream);
      if (lane !== undefined) {
        lane.waiting.push(pending);
        this.#ready.hurry(options.patienceMs);
        return;
      }
      const opened = streamLane(stream, type);
      opened.waiting.push(pending);
      this.#lanes.set(stream, opened);
      this.#ready.add(opened, options.patienceMs);
    });
  }) as EventStore['handle'];

  /** Takes no more commands. Resolves when none waits. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#lanes.size > 0) await new Promise<void>((resolve) => this.#settled.push(resolve));
  }

  async #write(lanes: StreamLane[], stuck: () => void): Promise<void> {
    this.#options.keys.notice().catch(() => undefined);
    const groups: { lane: StreamLane; group: Group }[] = [];
    for (const lane of lanes) {
      const group = this.#decide(lane);
      if (group !== undefined) groups.push({ lane, group });
    }
    if (groups.length === 0) return;
    const written = await this.#options.writer.write(
      groups.map(({ group }) => group),
      stuck,
    );
    const { outcomes } = written;
    const appended = groups.flatMap(({ group: { events } }, index) => (outcomes[index] === 'appended' ? events : []));
    const { doorbell, isNews } = this.#options;
    if (appended.length > 0) {
      doorbell.ring({
        entries: () => entriesWritten(appended, written),
        isNews: () => appended.some(({ recorded }) => isNews(recorded)),
      });
    }
    groups.forEach(({ lane, group }, index) => this.#landed(lane, group, outcomes[index] ?? 'conflict'));
  }

  /** Takes waiting commands off the lane. @returns what is to be written; undefined: the lane goes another way */
  #decide(lane: StreamLane): Group | undefined {
    const { cache, keys, views, clock, line } = this.#options;
    const { stream, type, waiting, fresh } = lane;
    if (lane.overtaken) return this.#loadFirst(lane);
    const known = lane.known ??
      cache.get(stream) ?? { state: type.decider.initial, version: 0, subjects: new Set<string>() };
    const step = decideGroup(
      { stream, type, waiting, known, fresh, single: lane.single > 0, personal: this.#isPersonal(type) },
      { keys, views, clock, generation: line.generation },
    );
    if (step.kind === 'load') return this.#loadFirst(lane);
    if (step.kind === 'key') return this.#fetchKey(lane, step.subject);
    waiting.splice(0, step.taken);
    lane.fresh = Math.max(0, fresh - step.taken);
    for (const one of step.settled) settle(one, this.#options.appended);
    if (step.group === undefined) this.#next(lane);
    return step.group;
  }

  #landed(lane: StreamLane, group: Group, outcome: GroupOutcome): void {
    const [first, ...others] = group.decided;
    lane.known = undefined;
    lane.fresh = 0;
    lane.single = Math.max(0, lane.single - 1);
    if (outcome === 'appended') {
      const { after } = group.decided.at(-1) as Decided;
      this.#options.cache.set(lane.stream, after);
      for (const one of group.decided) settle(one, this.#options.appended);
      this.#snapshot(lane, group, after);
    } else if (typeof outcome === 'object') {
      for (const { pending } of group.decided) pending.reject(outcome.error);
    } else if (outcome === 'guarded') {
      const { state, version } = group.before;
      first?.pending.resolve({ outcome: 'guarded', state, version, events: [] });
      lane.waiting.unshift(...others.map((one) => one.pending));
    } else {
      lane.waiting.unshift(...group.decided.map((one) => one.pending));
      if (outcome === 'split') lane.single = group.decided.length;
      else lane.overtaken = true;
    }
    this.#next(lane);
  }

  async #load(lanes: StreamLane[]): Promise<void> {
    const { loader, cache } = this.#options;
    const counts = lanes.map((lane) => lane.waiting.length);
    try {
      const keys = lanes.flatMap((lane) => lane.waiting.flatMap(({ options }) => options.once ?? []));
      const used = await loader.usedKeys(keys);
      const states = await loader.load(lanes.map(({ stream, type }) => ({ stream, type, known: cache.get(stream) })));
      lanes.forEach((lane, index) => {
        const state = states[index] as KnownState;
        const count = counts[index] ?? 0;
        if (state.version > 0) cache.set(lane.stream, state);
        else cache.drop(lane.stream);
        Object.assign(lane, { known: state, fresh: count, overtaken: false });
        for (const pending of lane.waiting.slice(0, count)) {
          pending.repeated = pending.options.once !== undefined && used.has(pending.options.once);
        }
        this.#ready.add(lane);
      });
    } catch (error) {
      await this.#eachAlone(lanes, error);
    }
  }

  /** One stream that cannot be read must not fail the others. */
  async #eachAlone(lanes: readonly StreamLane[], error: unknown): Promise<void> {
    if (lanes.length === 1 || isUnavailable(error)) {
      for (const lane of lanes) this.#fail(lane, error);
      return;
    }
    for (const lane of lanes) await this.#load([lane]);
  }

  #loadFirst(lane: StreamLane): undefined {
    this.#toLoad.add(lane);
  }

  #fetchKey(lane: StreamLane, subject: string): undefined {
    this.#options.keys.ensure([subject], true).then(
      () => this.#ready.add(lane),
      (error: unknown) => this.#fail(lane, error),
    );
  }

  #fail(lane: StreamLane, error: unknown): void {
    for (const { reject } of lane.waiting.splice(0)) reject(error);
    Object.assign(lane, { known: undefined, fresh: 0 });
    this.#next(lane);
  }

  /** Goes on with the commands that came meanwhile; a lane without work goes. */
  #next(lane: StreamLane): void {
    if (lane.waiting.length > 0) return this.#ready.add(lane, patienceOf(lane));
    this.#lanes.delete(lane.stream);
    if (this.#lanes.size > 0) return;
    for (const resolve of this.#settled.splice(0)) resolve();
  }

  #snapshot(lane: StreamLane, group: Group, after: KnownState): void {
    const { snapshotEvery } = lane.type;
    if (snapshotEvery === undefined) return;
    if (Math.floor(after.version / snapshotEvery) === Math.floor(group.before.version / snapshotEvery)) return;
    const subject = group.events.at(-1)?.recorded.metadata.subject ?? '';
    this.#options.snapshots.write(lane.stream, lane.type, after, subject).catch(this.#options.onFault);
  }

  #isPersonal(type: UntypedStreamType): boolean {
    const known = this.#personal.get(type);
    if (known !== undefined) return known;
    const personal = holdsPersonalData(type);
    this.#personal.set(type, personal);
    return personal;
  }
}

/** The least patience of the commands that wait. */
const patienceOf = ({ waiting }: StreamLane): number =>
  waiting.reduce((least, { options: { patienceMs = 0 } }) => Math.min(least, patienceMs), Infinity);

/** Answers the one who waits. */
function settle({ pending, events, after, thrown }: Decided, appended: (given: HandleOptions) => void): void {
  if (thrown !== undefined) return pending.reject(thrown.error);
  try {
    if (events.length > 0) {
      appended(pending.options);
      pending.options.onAppended?.(events.map((event) => event.recorded));
    }
  } catch (error) {
    return pending.reject(error);
  }
  pending.resolve({
    outcome: events.length > 0 ? 'appended' : 'nothing',
    state: after.state,
    version: after.version,
    events: events.map((event) => event.domainEvent),
  });
}

/** The commands of one stream that wait in this process, in order. At most one statement at a time writes for it. */
interface StreamLane {
  readonly stream: string;
  readonly type: UntypedStreamType;
  readonly waiting: PendingCommand[];
  /** Loaded for the commands that wait, and not yet used up. */
  known: KnownState | undefined;
  /** So many of the waiting commands came in before `known` was read. */
  fresh: number;
  /** A rival was faster: load before the next decision. */
  overtaken: boolean;
  /** So many commands are still to be written one by one. */
  single: number;
}

const streamLane = (stream: string, type: UntypedStreamType): StreamLane => ({
  stream,
  type,
  waiting: [],
  known: undefined,
  fresh: 0,
  overtaken: false,
  single: 0,
});

/** Items for one statement, at most. */
const batchLimit = 64;
/** Statements on their way at the same time, at most. */
const inFlightLimit = 3;
/** Items that come while a statement is on its way wait for its end, or so long when that one is slow, milliseconds. */
const slowMs = 20;

/**
 * Handles one batch; never rejects. `stuck` gives its place to the next batch while it waits for something else
 * than the load, such as a database that is away.
 */
type WriteBatch<Item> = (items: Item[], stuck: () => void) => Promise<void>;

/**
 * Group commit: one batch at a time, at once when idle, else with all that came meanwhile; so batches grow with the
 * load. Patient items wait for others to go with, and go with the next batch in any case.
 *
 * @see docs/decisions/0446-one-append-at-a-time.md
 */
export class FlushQueue<Item> {
  readonly #write: WriteBatch<Item>;
  readonly #waiting: Item[] = [];
  #inFlight = 0;
  /** When the last batch began, and when the next one must, milliseconds of the monotonic clock. */
  #begunAt = -Infinity;
  #dueAt = Infinity;
  #soon: NodeJS.Immediate | undefined;
  #later: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;

  constructor(write: WriteBatch<Item>) {
    this.#write = write;
  }

  /** @param patienceMs how long after the last batch it may wait for others, milliseconds */
  add(item: Item, patienceMs = 0): void {
    this.#waiting.push(item);
    this.hurry(patienceMs);
  }

  /** Gives waiting commands less patience from now on. */
  hurry(patienceMs = 0): void {
    if (this.#waiting.length === 0) return;
    this.#dueAt = Math.min(this.#dueAt, patienceMs === 0 ? -Infinity : this.#begunAt + patienceMs);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#waiting.length === 0 || this.#soon !== undefined || this.#inFlight >= inFlightLimit) return;
    const now = performance.now();
    const at = this.#inFlight === 0 ? this.#dueAt : Math.max(this.#dueAt, now + slowMs);
    if (at <= now || this.#waiting.length >= batchLimit) {
      // After the events of this turn, so that what came in together goes out together.
      this.#soon = setImmediate(() => this.#flush());
    } else if (this.#later === undefined || at < this.#later.at) {
      clearTimeout(this.#later?.timer);
      this.#later = { timer: setTimeout(() => this.#flush(), at - now), at };
    }
  }

  #flush(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later?.timer);
    this.#soon = undefined;
    this.#later = undefined;
    const items = this.#waiting.splice(0, batchLimit);
    if (items.length === 0) return;
    if (this.#waiting.length === 0) this.#dueAt = Infinity;
    this.#begunAt = performance.now();
    this.#inFlight += 1;
    let counted = true;
    const landed = (): void => {
      if (counted) this.#landed();
      counted = false;
    };
    void this.#write(items, landed).finally(landed);
    this.#schedule();
  }

  #landed(): void {
    this.#inFlight -= 1;
    this.#schedule();
  }
}
