import { SteerConnection } from '@messaging-gateway/contracts';
import { type Lease, Leases } from '@messaging-gateway/leases';
import type { Logger } from '@messaging-gateway/runtime';
import { every, type InternalRow, type Job } from '@messaging-gateway/service';
import { notConnected } from '../engine/engine.ts';
import { findProfile } from '../profiles/profile-table.ts';
import type { ConnectionStatus } from '../profiles/profile.ts';
import { handOver } from './hand-over.ts';
import { holderRequests } from './holder-requests.ts';
import { upkeepJobs } from './upkeep.ts';
import {
  type HeldProfile,
  type HolderTools,
  makeHeld,
  type Making,
  type Steered,
  type Steering,
} from './held-profile.ts';
import { SharingOut } from './sharing-out.ts';
import {
  admitInterruption,
  countWanted,
  findWanted,
  toHold,
  type Search,
  type ToHold,
  type WantedProfile,
} from './wanted-profiles.ts';
import { LoginTurns } from '../connection/login-turns.ts';
import { busyIn, dispensableIn, notNow } from './capacity.ts';

/** Profiles that were taken and not told what to do in this time are let go of, milliseconds. */
const idleMs = 30_000;
/** Profiles taken up at the same time. */
const atOnce = 16;

/**
 * The profiles that this replica holds. It takes its share of those that are wanted and that nobody alive holds, and
 * connects them one after the other; what is asked of a profile that somebody else holds goes there.
 */
export class ProfilesHeld {
  readonly #with: HolderTools;
  readonly #log: Logger;
  readonly #held = new Map<string, HeldProfile>();
  readonly #taking = new Map<string, Promise<HeldProfile | undefined>>();
  readonly #leases: Leases;
  readonly #turns: LoginTurns;
  readonly #sharing: SharingOut;
  readonly jobs: readonly Job[];
  readonly #making: Making;
  #isStopped = false;
  /** On their way to be held: they count as well. */
  #claiming = 0;

  constructor(holderTools: HolderTools) {
    this.#with = holderTools;
    const { sql, log, settings, clock } = holderTools.tools;
    this.#log = log;
    // A process that holds its folder and database alone stays the holder while the database is away.
    const onLost = (): void => void this.#lose([...this.#held.values()]);
    this.#leases = new Leases({ sql, log, isAlone: settings.isAlone, ttlMs: settings.replicaTtlMs, onLost });
    this.#turns = new LoginTurns(clock, settings.reconnectsPerSecond);
    const upkeep = upkeepJobs({
      with: holderTools,
      held: () => (this.#leases.isAlive() ? [...this.#held.values()] : []),
      search: () => (this.#leases.isAlive() ? this.#search() : undefined),
      take: (profile) => this.#taken(profile),
    });
    this.#sharing = new SharingOut({
      tools: holderTools.tools,
      leases: this.#leases,
      held: () => [...this.#held.values()],
      hasRoom: () => this.#hasRoom(),
      resume: async (steering) => (await this.#holderOf(steering, true)).steer(steering),
      onLeaving: (one) => this.#leaves(one, 'moved'),
    });
    this.jobs = [every('3s', 'profiles to hold', (signal) => this.#look(signal)), ...upkeep, ...this.#sharing.jobs];
    const onTakenOver = (one: HeldProfile): void => void this.#lose([one]);
    this.#making = { with: holderTools, leases: this.#leases, turns: this.#turns, onTakenOver };
  }

  async start(): Promise<void> {
    const { tools } = this.#with;
    this.#isStopped = false;
    await this.#leases.start();
    await this.#sharing.start();
    if (tools.settings.isAlone) await admitInterruption(tools);
  }

  /**
   * Hands the profiles over to other replicas where there are any. Otherwise the sockets are closed without logging
   * out, and the profiles are free for whoever comes next.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#turns.stop();
    await this.#sharing.stop();
    await Promise.allSettled(this.#taking.values());
    await this.#handOver();
    const held = [...this.#held.values()];
    await this.#letGo(held);
    await this.#leases.release(held.map(({ lease }) => lease.current)).catch(() => undefined);
    await this.#leases.stop();
  }

  get(profileId: string): HeldProfile | undefined {
    return this.#held.get(profileId);
  }

  statuses(): readonly ConnectionStatus[] {
    return [...this.#held.values()].map(({ connection }) => connection.status);
  }

  /** Does it here when this replica holds the profile or may take it, else where it is held. */
  async steer(steering: Steering, profile: ToHold, deadline: number): Promise<Steered> {
    const { profileId } = profile;
    const held = this.#held.get(profileId) ?? (await this.take(profile));
    if (held !== undefined) return held.steer(steering);
    return this.#with.tools.ask(SteerConnection, steering, { route: profileId, deadline });
  }

  /** Requests to holders that came to some replica: answered when this one holds the profile, otherwise nobody does, and nothing has left. */
  readonly rows = (): InternalRow[] =>
    holderRequests.map((request) => request.row((about, take) => this.#holderOf(about, take)));

  async #holderOf(
    { organizationId, profileId }: { readonly organizationId: string; readonly profileId: string },
    take: boolean,
  ): Promise<HeldProfile> {
    const held = this.#held.get(profileId) ?? (take ? await this.#takenFrom(organizationId, profileId) : undefined);
    if (held === undefined) throw notConnected();
    return held;
  }

  #hasRoom(): boolean {
    if (this.#isStopped || this.#leases.isDraining() || !this.#leases.isAlive()) return false;
    return busyIn(this.#held) + this.#claiming < this.#with.tools.settings.profilesPerProcess;
  }

  /** Stops holding a profile that is gone. */
  async forget(profileId: string): Promise<void> {
    const held = this.#held.get(profileId);
    if (held !== undefined) await this.#letGo([held]);
    await this.#leases.forget(profileId);
  }

  /**
   * Holds a profile here, unless somebody else does.
   *
   * @throws Refused SERVICE_UNAVAILABLE when this replica may take nothing now
   */
  take(profile: ToHold): Promise<HeldProfile | undefined> {
    const { profileId } = profile;
    const under = this.#taking.get(profileId);
    if (under !== undefined) return under;
    const taken = this.#take(profile).finally(() => this.#taking.delete(profileId));
    this.#taking.set(profileId, taken);
    return taken;
  }

  async #take(profile: ToHold): Promise<HeldProfile | undefined> {
    const { tools, metrics, engines } = this.#with;
    if (this.#isStopped || !this.#leases.isAlive()) throw notNow();
    while (this.#held.size + this.#claiming >= tools.settings.profilesPerProcess) await this.#makePlace(profile);
    engines.of(profile.engine ?? engines.defaultKind);
    const claimed = await this.#claimed(profile);
    if (claimed === undefined) return undefined;
    metrics.leaseChanged('claimed');
    const held = makeHeld(profile, claimed, this.#making);
    this.#held.set(profile.profileId, held);
    await held.prepare(this.#log);
    try {
      await held.serve(tools.serveRoute, holderRequests);
    } catch (error) {
      // Nobody would ask it, and nobody else could take it.
      await this.#giveUp(held);
      throw error;
    }
    return held;
  }

  /** A profile that its holder lets go of, for as long as it is wanted. */
  async #takenFrom(organizationId: string, profileId: string): Promise<HeldProfile | undefined> {
    const row = await findProfile(this.#with.tools.sql, organizationId, profileId);
    if (row?.is_wanted !== true) return undefined;
    return this.take({ ...toHold(row), isComing: row.status === 'connected' });
  }

  /** Lets go of one that another can have the place of. @throws Refused SERVICE_UNAVAILABLE when there is none */
  async #makePlace(newcomer: ToHold): Promise<void> {
    const dispensable = dispensableIn(this.#held, newcomer);
    if (!dispensable.isResting) await dispensable.connection.giveWay();
    await this.#giveUp(dispensable);
  }

  /** Lets go, for whoever comes next. */
  async #giveUp(held: HeldProfile): Promise<void> {
    await this.#letGo([held]);
    await this.#leases.release([held.lease.current]).catch(({ message: reason }: Error) => {
      this.#log.warn('A lease could not be given up', { profileId: held.lease.profileId, reason });
    });
  }

  async #claimed({ profileId: key, organizationId }: ToHold): Promise<Lease | undefined> {
    this.#claiming += 1;
    const leases = await this.#leases.claim([{ key, organizationId }]).finally(() => void (this.#claiming -= 1));
    return leases[0];
  }

  /** Looks for profiles that should be connected and are not held by anybody alive, and for those that were lost. */
  async #look(signal: AbortSignal): Promise<void> {
    await this.#loseLost();
    await this.#giveUpIdle();
    await this.#takeWanted(signal);
  }

  async #loseLost(): Promise<void> {
    if (this.#with.tools.settings.isAlone) return;
    const held = [...this.#held.values()];
    const lost = new Set(await this.#leases.lost(held.map(({ lease }) => lease.current)));
    await this.#lose(held.filter(({ lease }) => lost.has(lease.current)));
  }

  async #giveUpIdle(): Promise<void> {
    for (const held of [...this.#held.values()].filter((one) => one.isIdleFor(idleMs))) {
      this.#log.warn('A profile was taken and not connected', { profileId: held.lease.profileId });
      await this.#giveUp(held);
    }
  }

  async #takeWanted(signal: AbortSignal): Promise<void> {
    const { sql, settings } = this.#with.tools;
    if (signal.aborted || !this.#leases.isAlive()) return;
    const share = settings.isAlone ? Infinity : await this.#leases.share(await countWanted(sql));
    const free = Math.min(share, settings.profilesPerProcess) - busyIn(this.#held);
    if (free <= 0) return;
    const found = await findWanted(sql, this.#search(), free);
    for (let from = 0; from < found.length && !signal.aborted; from += atOnce)
      await Promise.all(found.slice(from, from + atOnce).map((profile) => this.#takeUp(profile)));
  }

  async #takeUp(profile: WantedProfile): Promise<void> {
    // Since it was found, somebody may have asked for it.
    if (this.#held.has(profile.profileId) || this.#taking.has(profile.profileId)) return;
    const held = await this.#taken(profile);
    if (held === undefined) return;
    if (profile.isPassed) return void held.follow('handed-over', true).catch(() => undefined);
    if (!this.#with.tools.settings.isAlone) await held.connection.interrupted(profile.status);
    // In its turn, which nobody waits for here.
    held.follow('resumed', true).catch(() => undefined);
  }

  async #taken(profile: ToHold): Promise<HeldProfile | undefined> {
    return this.take(profile).catch(({ message: reason }: Error) => {
      this.#log.warn('A profile could not be taken', { profileId: profile.profileId, reason });
      return undefined;
    });
  }

  #search(): Search {
    const { replicaId, ttlMs } = this.#leases;
    return { replicaId, ttlMs, isAlone: this.#with.tools.settings.isAlone, held: [...this.#held.keys()] };
  }

  async #handOver(): Promise<void> {
    const { tools } = this.#with;
    if (tools.settings.isAlone) return;
    await handOver([...this.#held.values()], {
      leases: this.#leases,
      tools,
      perSecond: tools.settings.reconnectsPerSecond,
      most: tools.settings.profilesPerProcess,
      onLeaving: (one) => this.#leaves(one, 'handed-over'),
    });
  }

  #leaves({ lease }: HeldProfile, how: 'handed-over' | 'moved'): void {
    this.#held.delete(lease.profileId);
    this.#with.metrics.leaseChanged(how);
  }

  async #lose(held: readonly HeldProfile[]): Promise<void> {
    for (const { lease } of held) {
      this.#with.metrics.leaseChanged('lost');
      this.#log.warn('A profile is held elsewhere, or may be', { profileId: lease.profileId });
    }
    await this.#letGo(held);
  }

  async #letGo(held: readonly HeldProfile[]): Promise<void> {
    for (const one of held) if (this.#held.get(one.lease.profileId) === one) this.#held.delete(one.lease.profileId);
    await Promise.allSettled(held.map((one) => one.leave()));
  }
}
