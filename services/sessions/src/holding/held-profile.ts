import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerOf, connectionStatuses, type SteerConnection } from '@messaging-gateway/contracts';
import type { Lease, Leases } from '@messaging-gateway/leases';
import type { MediaSources } from '@messaging-gateway/media';
import { Refused, unseen } from '@messaging-gateway/messaging';
import type { Clock, Logger, Metrics, Slots } from '@messaging-gateway/runtime';
import type { FeatureGauge, InternalRow, ServiceTools } from '@messaging-gateway/service';
import { Counter } from 'prom-client';
import type { Static } from 'typebox';
import type { SessionsSettings } from '../config.ts';
import type { LoginTurns } from '../connection/login-turns.ts';
import { NumberChecks } from '../connection/number-checks.ts';
import { HeldLease, type OpenSession } from '../connection/open-session.ts';
import type { Beginning } from '../connection/login.ts';
import { InOrder, ProfileConnection } from '../connection/profile-connection.ts';
import type { ConnectionFaults } from '../connection/connection-faults.ts';
import type { QrCodes } from '../connection/qr-codes.ts';
import { nothingLeft } from '../engine/engine.ts';
import type { Engines } from '../engine/engines.ts';
import { findProfile } from '../profiles/profile-table.ts';
import { countNumberChecks } from '../profiles/sending-limits.ts';
import { readFollowed } from '../presence/subscriptions.ts';
import type { ConnectionStatus } from '../profiles/profile.ts';
import type { SessionDataStore } from '../session-data/session-data-store.ts';
import type { ToHold } from './wanted-profiles.ts';

export type Steering = Static<(typeof SteerConnection)['body']>;
export type Steered = AnswerOf<typeof SteerConnection>;

/** How long requests in progress may take when the profile is handed over, milliseconds. */
const answersMs = 6_000;

/** The open session of a held profile, for a request to its holder. */
export interface HeldSession extends OpenSession {
  readonly numbers: NumberChecks;
  /** @throws Refused RATE_LIMITED when the profile would exceed its limit of the day */
  readonly countNumberChecks: CountNumberChecks;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type CountNumberChecks = (count: number) => Promise<void>;

/** A request that only the holder of a profile can answer. */
export interface HolderRequest {
  /** Serves it by the profile's route, which leads to its holder. */
  serve(serveRoute: ServiceTools<unknown>['serveRoute'], held: HeldProfile): Promise<() => Promise<void>>;
  /** Serves it on any replica. @param holder finds the profile here, or refuses; `take`: it may be taken for it */
  row(
    holder: (
      about: { readonly organizationId: string; readonly profileId: string },
      take: boolean,
    ) => Promise<HeldProfile>,
  ): InternalRow;
}

export interface HeldParts {
  readonly lease: HeldLease;
  readonly connection: ProfileConnection;
  readonly clock: Clock;
  /** Whether somebody wants it connected, as its row says; undefined: it has none. */
  readonly isWanted: () => Promise<boolean | undefined>;
  readonly countNumberChecks: CountNumberChecks;
}

/** One profile that this replica holds: its connection, and the requests that only the holder can answer. */
export class HeldProfile {
  readonly lease: HeldLease;
  readonly connection: ProfileConnection;
  #unserve: (() => Promise<void>)[] = [];
  readonly #clock: Clock;
  readonly #numbers: NumberChecks;
  readonly #countNumberChecks: CountNumberChecks;
  /** Milliseconds that never jump. */
  readonly #takenAt = performance.now();
  readonly #isWantedNow: () => Promise<boolean | undefined>;
  /** Looks at what is wanted: what was read last is done last. */
  readonly #looks = new InOrder(() => undefined);
  #isLeft = false;
  #remains = false;
  /** Requests being answered. */
  #inHand = 0;
  #usedAt = performance.now();

  constructor({ lease, connection, clock, isWanted, countNumberChecks }: HeldParts) {
    this.#countNumberChecks = countNumberChecks;
    this.lease = lease;
    this.connection = connection;
    this.#clock = clock;
    this.#isWantedNow = isWanted;
    this.#numbers = new NumberChecks(clock);
  }

  /** Opens the session data. What cannot be read or written is told when the profile connects. */
  async prepare(log: Logger): Promise<void> {
    await this.connection.prepare().catch(({ message: reason }: Error) => {
      log.warn('Session data could not be opened', { profileId: this.lease.profileId, reason });
    });
  }

  /**
   * Answers requests that are routed to the profile, until `leave`.
   *
   * @throws what kept it from answering all of them, Refused SERVICE_UNAVAILABLE when it was left meanwhile
   */
  async serve(serveRoute: ServiceTools<unknown>['serveRoute'], requests: readonly HolderRequest[]): Promise<void> {
    if (this.#isLeft) throw handedOver();
    const bindings = requests.map((request) => request.serve(serveRoute, this));
    await Promise.allSettled(bindings.map(async (binding) => this.#bound(await binding)));
    await Promise.all(bindings);
    if (this.#isLeft) throw handedOver();
  }

  /** Keeps a route that was bound; one that is bound after the profile was left answers for nobody. */
  async #bound(stop: () => Promise<void>): Promise<void> {
    if (this.#isLeft) await stop();
    else this.#unserve.push(stop);
  }

  /** The session that is open now. @throws Refused PROFILE_NOT_CONNECTED when nothing is */
  current(organizationId: string): OpenSession {
    this.#own(organizationId);
    return this.connection.current();
  }

  /** Asks the connection. A profile on its way here is waited for, a while here and then by whoever asks; one that has left meanwhile is asked of its new holder. */
  async ask<Answer>(organizationId: string, work: (session: HeldSession) => Promise<Answer>): Promise<Answer> {
    this.#own(organizationId);
    this.#inHand += 1;
    try {
      if (!(await this.connection.arrived())) throw onItsWay();
      const now = (): number => this.#clock.now();
      const countNumberChecks = this.#countNumberChecks;
      return await work({ ...this.connection.current(), numbers: this.#numbers, countNumberChecks, now });
    } catch (error) {
      if (await this.#isForAnother(error)) throw handedOver();
      throw error;
    } finally {
      this.#inHand -= 1;
      this.#usedAt = performance.now();
    }
  }

  /** For how long nobody has asked for it, milliseconds; undefined while somebody does, and where it is not connected. */
  get quietMs(): number | undefined {
    if (this.#inHand > 0 || this.#isLeft || this.connection.status !== 'connected') return undefined;
    return performance.now() - this.#usedAt;
  }

  /** For how long it is held here, milliseconds. */
  get heldMs(): number {
    return performance.now() - this.#takenAt;
  }

  async steer({ organizationId, action, phoneNumber, isWritten = false }: Steering): Promise<Steered> {
    this.#own(organizationId);
    if (this.#isLeft) throw handedOver();
    switch (action) {
      case 'connect':
        await (isWritten ? this.follow('wanted', true) : this.connection.connect());
        break;
      case 'resume':
        await this.follow('handed-over', true);
        break;
      case 'disconnect':
        await (isWritten ? this.follow('wanted', false) : this.connection.disconnect());
        break;
      case 'unlink':
        await this.connection.unlink();
        break;
      case 'pair': {
        const pairingCode = await this.connection.pair(phoneNumber ?? '');
        return { status: this.connection.status, pairingCode };
      }
    }
    return { status: this.connection.status };
  }

  /**
   * Does what the profile's row says now, where whoever was asked last has written it: requests overtake each other on
   * their way here.
   *
   * @param otherwise what is done when the row cannot be read
   */
  async follow(beginning: Beginning, otherwise: boolean): Promise<void> {
    const { done } = await this.#looks.run(async () => {
      const isWanted = await this.#isWantedNow().catch(() => otherwise);
      if (this.#isLeft || isWanted === undefined) return {};
      // Begun in the order of the looks, and not waited for by the next one.
      return { done: isWanted ? this.connection.connect(beginning) : this.connection.disconnect(true) };
    });
    await done;
  }

  /** Whether the profile is down until somebody wants it: it can be let go of for another one. */
  get isResting(): boolean {
    return !(this.connection.isWanted ?? !this.#remains);
  }

  /** Whether for so long nobody has said that the profile is to be connected or not: the work it was taken for has failed. Milliseconds. */
  isIdleFor(milliseconds: number): boolean {
    const isIdle = this.connection.isWanted === undefined && !this.#remains;
    return isIdle && performance.now() - this.#takenAt > milliseconds;
  }

  /** Marks the profile as held for facts that the journal has not taken yet. */
  remain(): void {
    this.#remains = true;
  }

  /** Whether this replica has let go of it. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Lets go at once: the link stays, and nothing is told. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    const unserved = this.#stopServing();
    await this.connection.leave();
    await unserved;
  }

  /** Lets go after the requests in progress have been answered, for another replica to take over. */
  async leaveInOrder(): Promise<void> {
    this.#isLeft = true;
    const late = new AbortController();
    await Promise.race([this.#stopServing(), sleep(answersMs, undefined, { ref: false, signal: late.signal })]).finally(
      () => late.abort(),
    );
    await this.connection.leave();
  }

  async #stopServing(): Promise<void> {
    await Promise.all(this.#unserve.splice(0).map((stop) => stop()));
  }

  /** Whether nothing was done because the profile has another holder, which can be asked. */
  async #isForAnother(error: unknown): Promise<boolean> {
    if (!(error instanceof Refused)) return false;
    const isNotConnected = error.code === 'PROFILE_NOT_CONNECTED';
    if (this.#isLeft) return isNotConnected;
    // Its session data refuses what comes from a holder that was replaced, before anything has left.
    const isFenced = error.code === 'ENGINE_REFUSED' && error.details === nothingLeft;
    return (isFenced || (isNotConnected && this.connection.isWanted === true)) && this.lease.isLost();
  }

  #own(organizationId: string): void {
    if (organizationId !== this.lease.organizationId)
      throw new Refused('NOT_FOUND', 'There is no such profile.', nothingLeft);
    // Others may think this replica dead and hold the profile already.
    if (!this.lease.isAlive())
      throw new Refused('SERVICE_UNAVAILABLE', 'The holder of the profile has lost its lease.', {
        ...nothingLeft,
        ...unseen,
      });
  }
}

const handedOver = (): Refused =>
  new Refused('SERVICE_UNAVAILABLE', 'The profile has another holder.', { ...nothingLeft, ...unseen });

const onItsWay = (): Refused =>
  new Refused('SERVICE_UNAVAILABLE', 'The profile is on its way to its holder.', { ...nothingLeft, ...unseen });

export interface Making {
  readonly with: HolderTools;
  readonly leases: Leases;
  readonly turns: LoginTurns;
  readonly onTakenOver: (held: HeldProfile) => void;
}

/**
 * A profile in the hand of its holder. Nothing is opened yet.
 *
 * @throws Refused ENGINE_UNSUPPORTED when this installation cannot run its engine
 */
export function makeHeld(profile: ToHold, claimed: Lease, making: Making): HeldProfile {
  const { tools, sessions, qrCodes, faults, metrics, engines, downloads, sources } = making.with;
  const { sql, store, media, clock, log, settings, spans } = tools;
  const lease = new HeldLease(claimed, making.leases, settings.isAlone);
  const engine = engines.of(profile.engine ?? engines.defaultKind);
  const connection = new ProfileConnection({
    lease,
    engine,
    sessions,
    qrCodes,
    faults,
    store,
    sql,
    clock,
    log,
    spans,
    media,
    sources,
    downloads,
    readFollowed: readFollowed(sql, () => clock.now()),
    turns: making.turns,
    onSent: metrics.sent,
    onTakenOver: () => making.onTakenOver(held),
  });
  const isWanted = async (): Promise<boolean | undefined> =>
    (await findProfile(tools.sql, lease.organizationId, lease.profileId))?.is_wanted;
  const held: HeldProfile = new HeldProfile({
    lease,
    connection,
    clock,
    isWanted,
    countNumberChecks: (count) =>
      countNumberChecks(sql, {
        organizationId: lease.organizationId,
        profileId: lease.profileId,
        count,
        now: clock.now(),
      }),
  });
  if (profile.isComing === true) connection.expected();
  return held;
}

/** The tools that holding profiles needs. */
export interface HolderTools {
  readonly tools: ServiceTools<SessionsSettings>;
  readonly engines: Engines;
  readonly sessions: SessionDataStore;
  readonly qrCodes: QrCodes;
  readonly faults: ConnectionFaults;
  readonly metrics: HolderMetrics;
  readonly sources: MediaSources;
  /** Downloads of media, of all profiles together. */
  readonly downloads: Slots;
}

type LeaseChange = 'claimed' | 'handed-over' | 'moved' | 'lost';

/** Counts what holders do. */
export interface HolderMetrics {
  /** @param outcome `acknowledged`, `refused`, `handed-over` or `nothing-left` */
  sent(outcome: string): void;
  /** Notes that a profile came to this process or left it. */
  leaseChanged(change: LeaseChange): void;
}

export function holderMetrics(registry: Metrics): HolderMetrics {
  const registers = [registry];
  for (const name of ['sessions_sends_total', 'sessions_lease_changes_total']) registry.removeSingleMetric(name);
  const sends = new Counter({
    name: 'sessions_sends_total',
    help: 'Messages handed to engines by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const changes = new Counter({
    name: 'sessions_lease_changes_total',
    help: 'Profiles that came to this process (claimed) or left it (handed-over at a stop, moved to one that holds fewer, lost)',
    labelNames: ['change'],
    registers,
  });
  return { sent: (outcome) => sends.inc({ outcome }), leaseChanged: (change) => changes.inc({ change }) };
}

/** @param statuses of the profiles held */
export const holderGauges = (statuses: () => readonly ConnectionStatus[]): readonly FeatureGauge[] => [
  {
    name: 'sessions_leases',
    help: 'Profiles held by this process',
    look: () => [{ value: statuses().length }],
  },
  {
    name: 'sessions_profiles',
    help: 'Profiles held by this process, by connection status',
    labels: ['status'],
    look: () => {
      const found = statuses();
      return connectionStatuses.map((status) => ({
        labels: { status },
        value: found.filter((one) => one === status).length,
      }));
    },
  },
];
