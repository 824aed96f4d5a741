import { SteerConnection } from '@messaging-gateway/contracts';
import { Leases, type Lease } from '@messaging-gateway/leases';
import type { EngineKind } from '../engine/engine.ts';
import type { ConnectionStatus } from '../profile/profile-events.ts';
import { handOver } from './hand-over.ts';
import { HeldLease } from './held-lease.ts';
import type { HolderTools } from './holder-tools.ts';
import { Held, type Steered, type Steering } from './holder.ts';
import { ProfileConnection } from './profile-connection.ts';
import {
  admitInterruption,
  countWanted,
  findRemainders,
  findWanted,
  type Search,
  type ToHold,
} from './wanted-profiles.ts';
import { busyIn, notNow, restingIn } from './room.ts';
import { Wave } from './wave.ts';

const lookMs = 3_000;
const remaindersMs = 60_000;
const sweepMs = 3_600_000;
/** Profiles taken up at the same time. */
const atOnce = 16;

/**
 * The profiles that this replica holds. It takes its share of those that are wanted and that nobody alive holds, and
 * connects them in waves; what is asked of a profile that somebody else holds goes there.
 */
export class ProfilesHeld {
  readonly #with: HolderTools;
  readonly #held = new Map<string, Held>();
  readonly #taking = new Map<string, Promise<Held | undefined>>();
  readonly #leases: Leases;
  readonly #wave: Wave;
  #timers: NodeJS.Timeout[] = [];
  #looking: Promise<void> | undefined;
  #isStopped = false;
  /** On their way to be held: they count as well. */
  #claiming = 0;

  constructor(holderTools: HolderTools) {
    this.#with = holderTools;
    const { sql, log, settings } = holderTools.tools;
    // A process that holds its folder and database alone stays the holder while the database is away.
    const onLost = (): void => void this.#lose([...this.#held.values()]);
    this.#leases = new Leases({ sql, log, isAlone: settings.isAlone, onLost });
    this.#wave = new Wave(settings.reconnectsPerSecond);
  }

  async start(): Promise<void> {
    const { tools } = this.#with;
    this.#isStopped = false;
    await this.#leases.start();
    if (tools.settings.isAlone) await admitInterruption(tools);
    this.#timers = [
      setInterval(() => this.#look(), lookMs).unref(),
      setInterval(() => this.#lookForRemainders(), remaindersMs).unref(),
      setInterval(() => void this.#sweep(), sweepMs).unref(),
    ];
    this.#look();
    this.#lookForRemainders();
  }

  /**
   * Hands the profiles over to other replicas where there are any. Otherwise the sockets are closed without logging
   * out, and the profiles are free for whoever comes next.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#wave.stop();
    await this.#looking;
    await Promise.allSettled(this.#taking.values());
    await this.#handOver();
    const held = [...this.#held.values()];
    await this.#letGo(held);
    await this.#leases.release(held.map(({ lease }) => lease.current)).catch(() => undefined);
    await this.#leases.stop();
  }

  get(profileId: string): Held | undefined {
    return this.#held.get(profileId);
  }

  statuses(): readonly ConnectionStatus[] {
    return [...this.#held.values()].map(({ connection }) => connection.status);
  }

  /** Does it here when this replica holds the profile or may take it, else where it is held. */
  async steer(steering: Steering, engine: EngineKind | undefined, deadline: number): Promise<Steered> {
    const { profileId, organizationId } = steering;
    const held = this.#held.get(profileId) ?? (await this.take({ profileId, organizationId, engine }));
    if (held !== undefined) return held.steer(steering);
    return this.#with.tools.ask(SteerConnection, steering, { route: profileId, deadline });
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
  take(profile: ToHold): Promise<Held | undefined> {
    const { profileId } = profile;
    const under = this.#taking.get(profileId);
    if (under !== undefined) return under;
    const taken = this.#take(profile).finally(() => this.#taking.delete(profileId));
    this.#taking.set(profileId, taken);
    return taken;
  }

  async #take(profile: ToHold): Promise<Held | undefined> {
    const { tools, sessions, qrCodes, metrics, engines, downloads, sources } = this.#with;
    const { store, media, clock, log, settings, spans } = tools;
    if (this.#isStopped || !this.#leases.isAlive()) throw notNow();
    while (this.#held.size + this.#claiming >= settings.profilesPerProcess) await this.#makeRoom();
    const engine = engines.of(profile.engine ?? engines.defaultKind);
    const claimed = await this.#claimed(profile);
    if (claimed === undefined) return undefined;
    metrics.leaseChanged('claimed');
    const lease = new HeldLease(claimed, this.#leases, settings.isAlone);
    const forMedia = { media, sources, downloads };
    const parts = { lease, engine, sessions, qrCodes, store, ...forMedia, clock, log, spans, onSent: metrics.sent };
    const connection = new ProfileConnection({ ...parts, onTakenOver: () => void this.#lose([held]) });
    const held: Held = new Held(lease, connection, clock);
    if (profile.isComing === true) connection.expected();
    this.#held.set(profile.profileId, held);
    // Unreadable or unwritable data is told when the profile connects.
    await connection
      .prepare()
      .catch((error: Error) =>
        log.warn('Session data could not be opened', { profileId: profile.profileId, reason: error.message }),
      );
    await held.serve(tools.serveRoute);
    return held;
  }

  /** Lets go of one that is down. @throws Refused SERVICE_UNAVAILABLE when none is */
  async #makeRoom(): Promise<void> {
    const resting = restingIn(this.#held);
    await this.#letGo([resting]);
    await this.#leases.release([resting.lease.current]);
  }

  async #claimed({ profileId: key, organizationId }: ToHold): Promise<Lease | undefined> {
    this.#claiming += 1;
    const leases = await this.#leases.claim([{ key, organizationId }]).finally(() => void (this.#claiming -= 1));
    return leases[0];
  }

  /** Looks for profiles that should be connected and are not held by anybody alive, and for those that were lost. */
  #look(): void {
    this.#looking ??= this.#loseLost()
      .then(() => this.#takeWanted())
      .catch((error: Error) =>
        this.#with.tools.log.warn('Looking for profiles to connect failed', { reason: error.message }),
      )
      .finally(() => void (this.#looking = undefined));
  }

  async #loseLost(): Promise<void> {
    if (this.#with.tools.settings.isAlone) return;
    const held = [...this.#held.values()];
    const lost = new Set(await this.#leases.lost(held.map(({ lease }) => lease.current)));
    await this.#lose(held.filter(({ lease }) => lost.has(lease.current)));
  }

  async #takeWanted(): Promise<void> {
    const { sql, settings } = this.#with.tools;
    if (this.#isStopped || !this.#leases.isAlive()) return;
    const share = settings.isAlone ? Infinity : await this.#leases.share(await countWanted(sql));
    const room = Math.min(share, settings.profilesPerProcess) - busyIn(this.#held);
    if (room <= 0) return;
    const found = await findWanted(sql, this.#search(), room);
    for (let from = 0; from < found.length && !this.#isStopped; from += atOnce)
      await Promise.all(
        found.slice(from, from + atOnce).map(async (profile) => {
          const held = await this.#taken(profile);
          if (held === undefined) return;
          if (!settings.isAlone) await held.connection.interrupted(profile.status);
          this.#wave.add(held);
        }),
      );
  }

  #lookForRemainders(): void {
    const { sql, log } = this.#with.tools;
    if (this.#isStopped || !this.#leases.isAlive()) return;
    findRemainders(sql, this.#with.sessions, this.#search())
      .then(async (profiles) => {
        for (const profile of profiles) (await this.#taken(profile))?.remain();
      })
      .catch((error: Error) =>
        log.warn('Facts of profiles that are down could not be taken up', { reason: error.message }),
      );
  }

  async #taken(profile: ToHold): Promise<Held | undefined> {
    return this.take(profile).catch(({ message: reason }: Error) => {
      this.#with.tools.log.warn('A profile could not be taken', { profileId: profile.profileId, reason });
      return undefined;
    });
  }

  #search(): Search {
    const { replicaId } = this.#leases;
    return { replicaId, isAlone: this.#with.tools.settings.isAlone, held: [...this.#held.keys()] };
  }

  async #handOver(): Promise<void> {
    const { tools, metrics } = this.#with;
    if (tools.settings.isAlone) return;
    const hasOthers = await this.#leases
      .drain()
      .then(() => this.#leases.hasOthers())
      .catch(() => false);
    if (!hasOthers) return;
    const onLeaving = ({ lease }: Held): void => {
      this.#held.delete(lease.profileId);
      metrics.leaseChanged('handed-over');
    };
    const wanted = [...this.#held.values()].filter(({ connection }) => connection.isWanted);
    await handOver(wanted, { leases: this.#leases, tools, perSecond: tools.settings.reconnectsPerSecond, onLeaving });
  }

  async #lose(held: readonly Held[]): Promise<void> {
    for (const { lease } of held) {
      this.#with.metrics.leaseChanged('lost');
      this.#with.tools.log.warn('A profile is held elsewhere, or may be', { profileId: lease.profileId });
    }
    await this.#letGo(held);
  }

  async #letGo(held: readonly Held[]): Promise<void> {
    for (const one of held) if (this.#held.get(one.lease.profileId) === one) this.#held.delete(one.lease.profileId);
    await Promise.allSettled(held.map((one) => one.leave()));
  }

  async #sweep(): Promise<void> {
    for (const { connection } of this.#held.values()) await connection.sweep().catch(() => undefined);
  }
}
