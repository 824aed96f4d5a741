import type { EventStore } from '@messaging-gateway/event-sourcing';
import { type Clock, type Logger, settledWithin } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import type { EngineSession, NetworkHealth } from '../engine/engine.ts';
import { dayOf } from '../profiles/limit-day.ts';
import { noteChecked } from '../profiles/health-table.ts';
import {
  activeAt,
  health,
  type Health,
  type HealthCommand,
  healthStream,
  type Restriction,
  unnamedRestriction,
} from '../profiles/health.ts';

export interface AccountHealthParts {
  readonly organizationId: string;
  readonly profileId: string;
  readonly store: Pick<EventStore, 'handle' | 'load'>;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
  readonly session: () => Pick<EngineSession, 'health'>;
}

type WithoutIds<Command> = Command extends unknown ? Omit<Command, 'profileId' | 'at'> : never;

/** The network is queried at most once in this time, milliseconds. */
const queryEveryMs = 600_000;
/** A refused send waits so long for the network's report, and so long for the record of the restriction, milliseconds. */
const reportMs = 3_000;
/** Backoff between attempts to record a change, milliseconds. */
const firstBackoffMs = 50;
const maxBackoffMs = 30_000;

/**
 * Restriction and quota of the account of a held profile. The state in memory decides what may leave: a restriction takes effect before the
 * refused send is answered. Changes are recorded in the journal in the background, until they are written or the profile is let go of.
 */
export class AccountHealth {
  readonly #parts: AccountHealthParts;
  #state: Health = health.initial;
  /** Set by a refused send until the network's report has been recorded. */
  #assumed: Restriction | undefined;
  #queriedAt = -Infinity;
  #writing: Promise<void> = Promise.resolve();
  #isLeft = false;

  private constructor(parts: AccountHealthParts) {
    this.#parts = parts;
  }

  /** Reads the recorded state. A database that is unavailable does not keep a profile from connecting: the state is read later. */
  static async over(parts: AccountHealthParts): Promise<AccountHealth> {
    const made = new AccountHealth(parts);
    made.#writing = made.#surely('read', async () => {
      const { state } = await parts.store.load(healthStream, parts.profileId);
      made.#state = { ...state, ...made.#state };
    });
    await settledWithin(reportMs, made.#writing);
    return made;
  }

  /** The restriction that is in force now. */
  get restriction(): Restriction | undefined {
    const now = this.#parts.clock.now();
    return activeAt(this.#state.restriction, now) ?? activeAt(this.#assumed, now);
  }

  /**
   * The network refused a message because of a restriction (463). Takes effect at once. The end is the one that the network reports,
   * otherwise 24 h from now.
   */
  async refused(): Promise<Restriction> {
    const { clock, profileId } = this.#parts;
    const at = clock.now();
    const refused = { type: 'Restrict', restrictionType: unnamedRestriction, refusedOn: dayOf(at) } as const;
    const current = this.restriction;
    const [first] = health.decide({ ...refused, profileId, at }, {});
    if (current === undefined && first?.type === 'RestrictionSet') this.#assumed = first.data.restriction;
    const reported = current === undefined ? await this.#reportedRestriction() : undefined;
    const named = reported && { restrictionType: reported.type, until: reported.until };
    const recorded = this.#record({ ...refused, ...named });
    const restriction = this.restriction ?? this.#assumed ?? current;
    this.#assumed = undefined;
    await settledWithin(reportMs, recorded);
    if (restriction === undefined) throw new Error('A refused send has a restriction.');
    return restriction;
  }

  /** The network notified a change. */
  notified({ restriction, newChats }: NetworkHealth): void {
    if (restriction === null) void this.#record({ type: 'Lift' });
    if (restriction) {
      const { type: restrictionType, until } = restriction;
      void this.#record({ type: 'Restrict', restrictionType, until });
    }
    if (newChats !== undefined) void this.#record({ type: 'ReportNewChats', newChats });
  }

  /** Queries the network, at most once in 10 minutes, and records the result. An engine that cannot query reports nothing. */
  async query(): Promise<void> {
    const { clock, session, sql } = this.#parts;
    const now = clock.now();
    if (now - this.#queriedAt < queryEveryMs) return;
    this.#queriedAt = now;
    const reported = await session()
      .health?.()
      .catch((error: unknown) => {
        this.#queriedAt = -Infinity;
        throw error;
      });
    if (reported === undefined) return;
    // A refused send proves a restriction that the network does not report.
    const isAssumed = this.restriction?.type === unnamedRestriction;
    if (isAssumed && reported.restriction === null)
      this.notified(reported.newChats === undefined ? {} : { newChats: reported.newChats });
    else this.notified(reported);
    await this.#writing;
    await noteChecked(sql, this.#parts, now);
  }

  /** Ends the attempts to record changes: nobody holds the profile here any more. */
  leave(): void {
    this.#isLeft = true;
  }

  async #reportedRestriction(): Promise<NonNullable<NetworkHealth['restriction']> | undefined> {
    let reported: NetworkHealth | undefined;
    await settledWithin(
      reportMs,
      this.#parts
        .session()
        .health?.()
        .then((answer) => (reported = answer)),
    );
    return reported?.restriction ?? undefined;
  }

  /** Applies a change in memory, and records it after those before it. Resolves when it is written. */
  #record(change: WithoutIds<HealthCommand>): Promise<void> {
    const { clock, profileId } = this.#parts;
    const command: HealthCommand = { ...change, profileId, at: clock.now() };
    const events = health.decide(command, this.#state);
    if (events.length === 0) return this.#writing;
    this.#state = events.reduce(health.evolve, this.#state);
    this.#writing = this.#writing.then(() => this.#write(command));
    return this.#writing;
  }

  async #write(command: HealthCommand): Promise<void> {
    const { organizationId, profileId, store } = this.#parts;
    const subject = `organization:${organizationId}`;
    const metadata = { organizationId, profileId, subject, actor: 'service:sessions' };
    await this.#surely('written', () => store.handle(healthStream, profileId, command, { metadata }));
  }

  /** Repeats work with the database until it succeeds or the profile is let go of. */
  async #surely(what: 'read' | 'written', work: () => Promise<unknown>): Promise<void> {
    const { profileId, clock, log } = this.#parts;
    for (let backoff = firstBackoffMs; ; backoff = Math.min(backoff * 2, maxBackoffMs)) {
      try {
        await work();
        return;
      } catch (error) {
        const { message: reason } = error as Error;
        log.warn(`The health of a profile is not ${what} yet`, { profileId, reason });
      }
      if (this.#isLeft) return;
      await clock.sleep(backoff);
    }
  }
}
