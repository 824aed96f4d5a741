import { outgrow, type Leases } from '@messaging-gateway/leases';
import { Refused } from '@messaging-gateway/messaging';
import { isAhead } from '../gate/send-gate.ts';
import type { LaneRecord } from '../gate/lane-records.ts';
import { messageStream } from '../message/message.ts';
import type { LaneLoad } from './queue.ts';
import type { Follower } from './journal.ts';
import { Lane, type LaneTools } from './lane.ts';
import type { Past } from './agenda.ts';
import { type OwnerNews, Tenure } from './owners.ts';

/** Lanes kept in memory without work, so that the next send need not ask the database. */
const idleLanes = 5000;

export interface LanesParts {
  readonly leases: Leases;
  /** This process owns all lanes. */
  readonly isAlone: boolean;
  readonly tools: LaneTools;
}

/**
 * The lanes that this process owns and has in memory: while they have work, and a while longer. Who may hand over for a lane
 * is the replica that the lane's lease names, with the lease's epoch.
 *
 * @see docs/decisions/0300-owners-of-lanes.md
 */
export class Lanes {
  readonly #parts: LanesParts;
  readonly #lanes = new Map<string, Lane>();
  readonly #taking = new Map<string, Promise<unknown>>();
  /** Claimed, while what others have left there is being read. */
  readonly #arriving = new Map<string, Lane>();
  #isClosed = false;
  /** Counts how often everything was lost. */
  #losses = 0;

  constructor(parts: LanesParts) {
    this.#parts = parts;
  }

  get all(): Lane[] {
    return [...this.#lanes.values()];
  }

  /** Takes nothing from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /** Resolves when nothing is being taken. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#taking.values());
  }

  /**
   * The lane of a profile, if this process owns it or can.
   *
   * @returns undefined when it is owned elsewhere, or by nobody whom this process may follow now
   * @throws Refused NOT_FOUND when the organization has no such profile
   */
  find(profileId: string, organizationId: string): Promise<Lane | undefined> | Lane {
    const lane = this.#lanes.get(profileId);
    return lane === undefined ? this.#taken(profileId, organizationId) : openFor(lane, organizationId);
  }

  /** The lane for a message that is about to be accepted. @returns undefined when it is not owned any more */
  present(lane: Lane): Lane | undefined {
    let present = this.#lanes.get(lane.profileId);
    // While it was looked at it may have been forgotten as idle; a process that is alone owns it all the same.
    if (present === undefined && this.#parts.isAlone) this.#lanes.set(lane.profileId, (present = lane));
    return present?.tenure.mayHandOver() === true ? present : undefined;
  }

  /** Passes what this process has written of a message to the message's lane. */
  readonly apply: Follower = (recorded, { profileId }) => {
    if (recorded.outcome === 'appended') (this.#lanes.get(profileId) ?? this.#arriving.get(profileId))?.apply(recorded);
  };

  /** Takes news of another replica about a lane of this one. A lane that is not in memory is read anew when it is needed. */
  async hear({
    organizationId,
    profileId,
    connection,
    settledMessageId,
    restriction,
  }: OwnerNews): Promise<Record<string, never>> {
    const lane = await this.ifLoaded(profileId);
    if (lane === undefined || lane.organizationId !== organizationId) return {};
    if (connection !== undefined) lane.hear({ connection });
    if (restriction !== undefined) lane.hear({ restriction });
    if (settledMessageId !== undefined) {
      const { store, waiters } = this.#parts.tools;
      const { state } = await store.load(messageStream, settledMessageId);
      waiters.tell(settledMessageId, state, []);
      lane.hear({ written: state });
    }
    if (connection !== undefined || settledMessageId !== undefined || restriction !== undefined) return {};
    lane.suspect();
    await this.refresh(lane);
    return {};
  }

  /** A lane goes by its row as it is now. */
  async refresh(lane: Lane): Promise<LaneRecord | undefined> {
    const record = await lane.gate.refresh();
    lane.gate.forgetLimits();
    lane.tick();
    return record;
  }

  /** The lane if it is in memory: one of this process with work always is. */
  inMemory(profileId: string): Lane | undefined {
    return this.#lanes.get(profileId);
  }

  /** The lane if it is in memory once takeovers under way have ended: for changes that a lane being taken over might miss. */
  async ifLoaded(profileId: string): Promise<Lane | undefined> {
    await this.#taking.get(profileId)?.catch(() => undefined);
    return this.#lanes.get(profileId);
  }

  /** Takes those of these lanes that can be taken, with what their owners have left. */
  async takeOver(profileIds: readonly string[]): Promise<void> {
    const wanted = profileIds.filter((profileId) => !this.#lanes.has(profileId) && !this.#taking.has(profileId));
    if (wanted.length === 0) return;
    const { records } = this.#parts.tools;
    await this.#meanwhile(wanted, async () => this.#claim(await records.some(wanted), 'gone'));
  }

  /** Lets go of everything at once: others may own it. */
  loseAll(): void {
    this.#losses += 1;
    for (const lane of [...this.#arriving.values(), ...this.all]) this.lose(lane);
  }

  /** Another replica owns the lane. Those who wait for its messages ask there. */
  lose(lane: Lane): void {
    this.#parts.tools.metrics.laneChanged('lost', 1);
    lane.lose();
    this.#drop(lane);
  }

  /** Gives lanes up, each as soon as what was begun is recorded. */
  async leave(lanes: readonly Lane[]): Promise<void> {
    const [idle, busy] = [lanes.filter(({ isIdle }) => isIdle), lanes.filter(({ isIdle }) => !isIdle)];
    const all = [idle, ...busy.map((lane) => [lane])].filter((some) => some.length > 0);
    await Promise.all(all.map((some) => this.#leaveTogether(some)));
  }

  /** Gives an idle lane to another replica: the next send goes there. */
  give(lane: Lane, to: string): Promise<void> {
    return this.#leaveTogether([lane], to);
  }

  /** Sessions has seen a newer epoch of a lane. @returns whether it goes on here */
  async disowned(profileId: string, newestEpoch: number): Promise<boolean> {
    const { leases, tools } = this.#parts;
    const lane = this.#lanes.get(profileId);
    if (lane === undefined) return false;
    const { lease } = lane.tenure;
    tools.log.warn('Sessions has met a newer owner of a lane', { profileId, epoch: lease.epoch, newestEpoch });
    try {
      const grown = await outgrow(tools.sql, leases.replicaId, lease, newestEpoch);
      if (grown === undefined) this.lose(lane);
      else lane.tenure.grow(grown.epoch);
      return grown !== undefined;
    } catch {
      return false;
    }
  }

  /** Lanes with work, and the messages that they hold in memory. */
  load(): LaneLoad {
    let active = 0;
    let messages = 0;
    for (const lane of this.#lanes.values()) {
      if (!lane.isIdle) active += 1;
      messages += lane.queue.free.length;
    }
    return { owned: this.#lanes.size, active, messages };
  }

  async #leaveTogether(lanes: readonly Lane[], to?: string): Promise<void> {
    await Promise.all(lanes.map((lane) => lane.leave()));
    for (const lane of lanes) this.#drop(lane);
    const { leases, tools } = this.#parts;
    const accounted = lanes.filter(({ queue }) => queue.isAccountedFor);
    if (accounted.length > 0) await tools.records.noteLeft(accounted.map(({ tenure }) => tenure.lease));
    const given = lanes.map(({ tenure }) => tenure.lease);
    const passed = to === undefined ? [] : await leases.pass(given, to);
    await leases.release(given.filter((lease) => !passed.includes(lease)));
    tools.metrics.laneChanged(to === undefined ? 'handed-over' : 'moved', lanes.length);
  }

  #drop(lane: Lane): void {
    if (this.#lanes.get(lane.profileId) === lane) this.#lanes.delete(lane.profileId);
    this.#parts.tools.waiters.moved(lane.profileId);
  }

  async #taken(profileId: string, organizationId: string): Promise<Lane | undefined> {
    // What somebody else asks to be taken fails for reasons of its own.
    for (let taking; (taking = this.#taking.get(profileId)) !== undefined;) await taking.catch(() => undefined);
    if (!this.#lanes.has(profileId)) await this.#meanwhile([profileId], () => this.#take(profileId, organizationId));
    const lane = this.#lanes.get(profileId);
    return lane === undefined ? undefined : openFor(lane, organizationId);
  }

  /** Claims only what exists, so that nobody fills the table with names. */
  async #take(profileId: string, organizationId: string): Promise<void> {
    const record = await this.#parts.tools.records.find(profileId);
    if (record === undefined || record.closed || record.organizationId !== organizationId) throw noSuchProfile();
    await this.#claim([record], 'nothing');
  }

  /** Takes lanes over; others who want the same lanes wait. */
  async #meanwhile(profileIds: readonly string[], take: () => Promise<void>): Promise<void> {
    const work = take().finally(() => {
      for (const profileId of profileIds) if (this.#taking.get(profileId) === work) this.#taking.delete(profileId);
    });
    for (const profileId of profileIds) this.#taking.set(profileId, work);
    await work;
  }

  /** @param pastAlone what the table may hold when no other process can have changed it */
  async #claim(records: readonly LaneRecord[], pastAlone: Past): Promise<void> {
    const { isAlone, leases, tools } = this.#parts;
    const losses = this.#losses;
    const keys = records.map(({ profileId: key, organizationId }) => ({ key, organizationId }));
    const claimed = this.#isClosed ? [] : await leases.claim(keys);
    if (claimed.length === 0) return;
    tools.metrics.laneChanged('claimed', claimed.length);
    // What the last owner has written is complete only now.
    const fresh = isAlone ? records : await tools.records.some(claimed.map(({ key }) => key));
    const now = tools.clock.now();
    const ahead = fresh.filter(({ count }) => isAhead(count, now)).map(({ profileId }) => profileId);
    if (ahead.length > 0) await tools.records.setBack(ahead, now);
    const byProfile = new Map(claimed.map((lease) => [lease.key, lease]));
    const lanes = fresh.flatMap((record) => {
      const lease = byProfile.get(record.profileId);
      if (lease === undefined) return [];
      const past = isAlone ? pastAlone : record.leftEpoch === lease.epoch - 1 ? 'left' : 'gone';
      return [new Lane(record, tools, new Tenure(lease, past, leases))];
    });
    if (losses === this.#losses) await this.#receive(lanes);
  }

  /** Nothing enters a lane before it is known what others have left there; a process that is alone need not wait. */
  async #receive(lanes: readonly Lane[]): Promise<void> {
    const losses = this.#losses;
    for (const lane of lanes) this.#arriving.set(lane.profileId, lane);
    if (!this.#parts.isAlone) await Promise.all(lanes.map((lane) => lane.recovered()));
    for (const lane of lanes) {
      this.#arriving.delete(lane.profileId);
      if (losses !== this.#losses) continue;
      this.#lanes.set(lane.profileId, lane);
      lane.tick();
    }
    if (this.#lanes.size > idleLanes) await this.#forgetIdle();
  }

  /** Forgets the idle lanes that have been in memory longest. */
  async #forgetIdle(): Promise<void> {
    const idle = this.all.filter(({ isIdle }) => isIdle).slice(0, this.#lanes.size - idleLanes);
    if (!this.#parts.isAlone) return this.leave(idle);
    for (const { profileId } of idle) this.#lanes.delete(profileId);
  }
}

const noSuchProfile = (): Refused => new Refused('NOT_FOUND', 'There is no such profile.');

/** @throws Refused NOT_FOUND */
function openFor(lane: Lane, organizationId: string): Lane {
  if (lane.gate.isClosed || lane.organizationId !== organizationId) throw noSuchProfile();
  return lane;
}
