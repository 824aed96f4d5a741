import { Balance, type Leases, settledAfter } from '@messaging-gateway/leases';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Running } from '@messaging-gateway/service';
import type { LaneRecords } from '../gate/lane-records.ts';
import type { Lane } from './lane.ts';
import type { Lanes } from './lanes.ts';
import type { Owners } from './owners.ts';

export interface LaneUpkeepParts {
  readonly leases: Leases;
  readonly isAlone: boolean;
  /** How often a lane is given to a replica that owns fewer, seconds; 0: never. */
  readonly rebalanceSeconds: number;
  readonly lanes: Lanes;
  readonly owners: Owners;
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
export class LaneUpkeep implements Running {
  readonly #parts: LaneUpkeepParts;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #looks = 0;
  readonly #balance: Balance;
  #balancedAt = 0;
  #unserve = async (): Promise<void> => undefined;

  constructor(parts: LaneUpkeepParts) {
    this.#parts = parts;
    const { leases, rebalanceSeconds } = parts;
    this.#balance = new Balance(leases.replicaId, settledAfter(rebalanceSeconds, leases.ttlMs));
  }

  async start(): Promise<void> {
    const { isAlone, leases, lanes, owners, records, serve } = this.#parts;
    owners.open();
    if (isAlone) return lanes.takeOver(await records.profilesWithWork());
    await leases.start();
    this.#unserve = await serve();
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
    this.#look();
  }

  async stop(): Promise<void> {
    const { isAlone, leases, lanes, owners } = this.#parts;
    clearInterval(this.#timer);
    try {
      await this.#handOver();
      for (const lane of lanes.all) lanes.lose(lane);
      await this.#unserve();
      if (!isAlone) await leases.stop();
    } finally {
      owners.closeSoon();
    }
  }

  /** Gives all lanes up; patience ends in time, with whatever is not recorded by then. */
  async #handOver(): Promise<void> {
    const { clock, abort, log } = this.#parts;
    const cancel = clock.at(clock.now() + patience, () => abort.abort());
    const impatience = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve()));
    const left = this.#leave().catch((error: unknown) =>
      log.warn('Lanes were not given up in order', { reason: String(error) }),
    );
    await Promise.race([left, impatience]);
    cancel();
    abort.abort();
  }

  async #leave(): Promise<void> {
    const { isAlone, leases, lanes } = this.#parts;
    lanes.close();
    if (!isAlone) await leases.drain().catch(() => undefined);
    await this.#looking;
    await lanes.settled();
    if (isAlone) await Promise.all(lanes.all.map((lane) => lane.leave(true)));
    await lanes.leave(lanes.all);
  }

  #look(): void {
    const { log, leases } = this.#parts;
    if (this.#looking !== undefined || !leases.isAlive()) return;
    this.#looking = this.#lookAround()
      .catch((error: Error) => log.warn('Looking after the lanes failed', { reason: error.message }))
      .finally(() => void (this.#looking = undefined));
  }

  async #lookAround(): Promise<void> {
    const { lanes, owners, records } = this.#parts;
    this.#looks += 1;
    await owners.look();
    const busy = await records.profilesWithWork();
    const here = busy.flatMap((profileId) => lanes.inMemory(profileId) ?? []);
    // Accepted by a replica that could not tell.
    for (const lane of here) if (lane.isIdle) lane.suspect();
    const orphans = await owners.orphans(busy.filter((profileId) => lanes.inMemory(profileId) === undefined));
    for (const some of batches(shuffled(orphans))) await lanes.takeOver(some);
    if (this.#looks % closerLook === 0) await this.#lookCloser();
    await this.#giveOne();
  }

  /** Gives the lane that was used longest ago to the replica that owns the fewest, when this one owns more than others. */
  async #giveOne(): Promise<void> {
    const { lanes, leases, log, rebalanceSeconds } = this.#parts;
    const now = performance.now();
    if (rebalanceSeconds === 0 || now - this.#balancedAt < rebalanceSeconds * 1000 || !leases.isSteady()) return;
    this.#balancedAt = now;
    const to = this.#balance.receiver(await leases.standings());
    const [lane] = lanes.all.filter(isStillIdle).toSorted((one, other) => one.usedAt - other.usedAt);
    if (to === undefined || lane === undefined) return;
    log.info('A lane moves to a replica that owns fewer', { profileId: lane.profileId, to });
    await lanes.give(lane, to);
  }

  async #lookCloser(): Promise<void> {
    const { lanes, leases } = this.#parts;
    const { all } = lanes;
    const lost = new Set((await leases.lost(all.map(({ tenure }) => tenure.lease))).map(({ key }) => key));
    for (const lane of all) if (lost.has(lane.profileId)) lanes.lose(lane);
    const resting = lanes.all.filter((lane) => lane.isIdle && performance.now() - lane.usedAt >= restMs);
    if (resting.length > 0 && (await leases.hasOthers())) await lanes.leave(resting.filter(isStillIdle));
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
