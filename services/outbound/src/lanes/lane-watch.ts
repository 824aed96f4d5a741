import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Running } from '@messaging-gateway/service';
import type { LaneRecords } from '../views/lane-records.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { OwnerCalls } from './owner-calls.ts';
import type { Ownership } from './ownership.ts';

export interface LaneWatchParts {
  readonly ownership: Ownership;
  readonly lanes: Lanes;
  readonly calls: OwnerCalls;
  readonly records: LaneRecords;
  readonly clock: Clock;
  readonly log: Logger;
  /** Serves requests to this replica as an owner. @returns stops it */
  readonly serve: () => Promise<() => Promise<void>>;
  /** Ends what a stop has no more patience for. */
  readonly abort: AbortController;
}

const lookMs = 1000;
/** Every so many looks: whether leases were lost, and which lanes rest. */
const closerLook = 5;
/** Lanes taken over at once, so that several replicas share them. */
const batch = 200;
/** A lane without work is given up after so long, milliseconds: others may be less busy when it is needed again. */
const restMs = 60_000;
/** How long a stop waits for acknowledgements, milliseconds. */
const patience = 10_000;

/** Takes the lanes that nobody owns and that have work, looks after those of this process, and hands them over at a stop. */
export class LaneWatch implements Running {
  readonly #parts: LaneWatchParts;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #looks = 0;
  #unserve = async (): Promise<void> => undefined;

  constructor(parts: LaneWatchParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { ownership, lanes, records, serve } = this.#parts;
    await ownership.start();
    if (ownership.isAlone) return lanes.takeOver(await records.profilesWithWork());
    this.#unserve = await serve();
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
    this.#look();
  }

  async stop(): Promise<void> {
    const { ownership, lanes, clock, abort, log } = this.#parts;
    clearInterval(this.#timer);
    const cancel = clock.at(clock.now() + patience, () => abort.abort());
    const impatience = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve()));
    const left = this.#leave().catch((error: unknown) =>
      log.warn('Lanes were not given up in order', { reason: String(error) }),
    );
    await Promise.race([left, impatience]);
    cancel();
    abort.abort();
    for (const lane of lanes.all) lanes.lose(lane);
    await this.#unserve();
    await ownership.stop();
  }

  async #leave(): Promise<void> {
    const { ownership, lanes } = this.#parts;
    lanes.close();
    await ownership.drain().catch(() => undefined);
    await this.#looking;
    await lanes.settled();
    if (ownership.isAlone) await Promise.all(lanes.all.map((lane) => lane.close()));
    await lanes.leave(lanes.all);
  }

  #look(): void {
    const { log, ownership } = this.#parts;
    if (this.#looking !== undefined || !ownership.mayOwn()) return;
    this.#looking = this.#lookAround()
      .catch((error: Error) => log.warn('Looking after the lanes failed', { reason: error.message }))
      .finally(() => void (this.#looking = undefined));
  }

  async #lookAround(): Promise<void> {
    const { calls, lanes, ownership, records } = this.#parts;
    this.#looks += 1;
    await calls.look();
    const busy = await records.profilesWithWork();
    const here = busy.flatMap((profileId) => lanes.inMemory(profileId) ?? []);
    // Accepted by a replica that could not tell.
    for (const lane of here) if (lane.isIdle) lane.suspect(0);
    const orphans = await ownership.orphans(busy.filter((profileId) => lanes.inMemory(profileId) === undefined));
    for (const some of batches(shuffled(orphans))) await lanes.takeOver(some);
    if (this.#looks % closerLook === 0) await this.#lookCloser();
  }

  async #lookCloser(): Promise<void> {
    const { lanes, ownership } = this.#parts;
    for (const lane of await ownership.lost(lanes.all)) lanes.lose(lane);
    const resting = lanes.all.filter((lane) => lane.isIdle && performance.now() - lane.usedAt >= restMs);
    if (resting.length > 0 && (await ownership.hasOthers())) await lanes.leave(resting.filter(isStillIdle));
  }
}

const isStillIdle = (lane: Lane): boolean => lane.isIdle;

function* batches(profileIds: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < profileIds.length; at += batch) yield profileIds.slice(at, at + batch);
}

/** Replicas that look at the same time reach for different lanes first. */
const shuffled = (profileIds: readonly string[]): string[] =>
  profileIds
    .map((profileId) => ({ profileId, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ profileId }) => profileId);
