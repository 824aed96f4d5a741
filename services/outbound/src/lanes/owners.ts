import { SendThroughLane, TellLane, type AnswerOf } from '@messaging-gateway/contracts';
import { holdersOf, livingAmong, type Lease, type Leases } from '@messaging-gateway/leases';
import { isAway, Refused, isUnseen } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { RequestContext, ServiceTools, Sql } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { Past } from './agenda.ts';

/** Answers a send that another replica has passed on. */
export type PassedSend = (send: Passed, context: RequestContext) => Promise<AnswerOf<typeof SendThroughLane>>;
/** News of a replica to the owner of a lane. */
export type OwnerNews = Static<(typeof TellLane)['body']>;
type Passed = Static<(typeof SendThroughLane)['body']>;

export interface OwnersParts {
  readonly leases: Leases;
  readonly sql: Sql;
  readonly ask: ServiceTools<unknown>['ask'];
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether there are no other replicas. */
  readonly isAlone: boolean;
}

/** Owners remembered, at most. */
const remembered = 20_000;
/** An owner that cannot be reached for so long has let go of its lanes, or the brokers are away, milliseconds. */
const patience = 8000;
const pause = 200;
/** After the lanes were handed over, milliseconds: within the time that a stop gives to requests in progress. */
const lastAnswers = 4000;

/** The replicas that own the lanes of others, and what this one asks and tells them. */
export class Owners {
  readonly #parts: OwnersParts;
  readonly #known = new Map<string, string>();
  /** Functions that end a call to an owner, by owner. */
  readonly #calls = new Map<string, Set<() => void>>();
  /** Whether waiting for owners has ended. */
  isClosed = false;

  constructor(parts: OwnersParts) {
    this.#parts = parts;
  }

  /** Whether another replica was last seen to own the lane. */
  knows(profileId: string): boolean {
    return this.#known.has(profileId);
  }

  /** The replica that owns a lane, as it was last seen or by the database; undefined when no other one does. */
  async ownerOf(profileId: string): Promise<string | undefined> {
    const known = this.#known.get(profileId);
    if (known !== undefined) return known;
    const owner = await this.#otherOwner(profileId);
    if (owner === undefined) return undefined;
    if (this.#known.size >= remembered) this.#known.delete(this.#known.keys().next().value as string);
    this.#known.set(profileId, owner);
    return owner;
  }

  /** Profiles among these whose lane no living replica owns. */
  async orphans(profileIds: readonly string[]): Promise<string[]> {
    const { leases, sql } = this.#parts;
    const holders = await holdersOf(sql, profileIds, leases.ttlMs);
    return profileIds.filter((profileId) => {
      const holder = holders.get(profileId);
      return holder?.isAlive !== true || holder.replicaId === leases.replicaId;
    });
  }

  /**
   * Passes a send on to the owner of its lane; given up when that is found dead.
   *
   * @returns undefined when nobody is there; then nothing was accepted either
   * @throws Refused `moved` when the owner does not own the lane any more or died meanwhile; `Lost` when it did not answer
   */
  async pass(
    owner: string,
    send: Passed,
    context: RequestContext,
  ): Promise<AnswerOf<typeof SendThroughLane> | undefined> {
    const { deadline, requestId, traceparent, raised } = context;
    const asking = { route: owner, holdMs: 0, deadline, requestId, traceparent, raised };
    try {
      return await this.#whileAlive(owner, this.#parts.ask(SendThroughLane, send, asking));
    } catch (error) {
      if (!isAway(error)) throw error;
      // What was remembered was wrong.
      this.#known.delete(send.profileId);
      if (isUnseen(error)) return undefined;
      throw isMoved(error) ? error : new Lost(error);
    }
  }

  /**
   * Tells the owner of a lane what this replica has learnt. Returns when it knows, or when nobody owns the lane: whoever
   * takes it reads it anew.
   *
   * @throws Refused SERVICE_UNAVAILABLE when an owner lives that cannot be reached
   */
  async tell(news: OwnerNews): Promise<void> {
    if (this.#parts.isAlone) return;
    for (const begun = performance.now(); !(await this.#isTold(news)); await this.#parts.clock.sleep(pause)) {
      if (performance.now() - begun < patience) continue;
      throw new Refused('SERVICE_UNAVAILABLE', 'The owner of the lane cannot be reached.', undefined, {
        'Retry-After': '2',
      });
    }
  }

  /** `tell` in the background: an owner that is not reached finds out by itself later. */
  mention(news: OwnerNews): void {
    const { profileId } = news;
    this.tell(news).catch((error: unknown) =>
      this.#parts.log.warn('The owner of a lane could not be told', { profileId, reason: String(error) }),
    );
  }

  /** Asks the database who of those that are waited for lives. */
  async look(): Promise<void> {
    const owners = [...this.#calls.keys()];
    const living =
      owners.length === 0 ? undefined : await livingAmong(this.#parts.sql, owners, this.#parts.leases.ttlMs);
    for (const owner of owners) if (living?.has(owner) === false) this.#end(owner);
  }

  /** Sends are held and passed on. */
  open(): void {
    this.isClosed = false;
  }

  /** After the lanes were handed over: what is held or passed on is answered where its lane went, or told to come again. */
  closeSoon(): void {
    const { clock } = this.#parts;
    clock.at(clock.now() + lastAnswers, () => {
      this.isClosed = true;
      for (const owner of this.#calls.keys()) this.#end(owner);
    });
  }

  #end(owner: string): void {
    for (const end of this.#calls.get(owner) ?? []) end();
  }

  async #whileAlive<T>(owner: string, call: Promise<T>): Promise<T> {
    const calls = this.#calls.get(owner) ?? new Set();
    this.#calls.set(owner, calls);
    const { promise: death, reject } = Promise.withResolvers<never>();
    const died = (): void => reject(moved());
    calls.add(died);
    try {
      return await Promise.race([call, death]);
    } finally {
      calls.delete(died);
      if (calls.size === 0) this.#calls.delete(owner);
    }
  }

  /** The replica that owns a lane and lives, by the database; undefined when it is this one. */
  async #otherOwner(profileId: string): Promise<string | undefined> {
    const { leases, sql } = this.#parts;
    const holder = (await holdersOf(sql, [profileId], leases.ttlMs)).get(profileId);
    return holder?.isAlive === true && holder.replicaId !== leases.replicaId ? holder.replicaId : undefined;
  }

  async #isTold(news: OwnerNews): Promise<boolean> {
    const owner = await this.#otherOwner(news.profileId);
    if (owner === undefined) return true;
    try {
      await this.#parts.ask(TellLane, news, { route: owner, holdMs: 0 });
      return true;
    } catch (error) {
      if (isAway(error)) return false;
      throw error;
    }
  }
}

/** Said by a replica that does not own a lane (any more): the request is to be repeated where the lane is. */
export const moved = (): Refused =>
  new Refused(
    'SERVICE_UNAVAILABLE',
    'The lane of the profile is owned elsewhere.',
    { moved: true },
    { 'Retry-After': '1' },
  );

export const isMoved = (error: unknown): boolean =>
  error instanceof Refused && (error.details as { moved?: unknown } | undefined)?.moved === true;

/** The owner of a lane did not answer: nobody knows what it has done. */
export class Lost extends Error {
  constructor(cause: Refused) {
    super(cause.message, { cause });
    this.name = 'Lost';
  }
}

/** How this process holds a lane: from the claim of its lease until the lane is given up or lost. */
export class Tenure {
  /** Rows that the table may hold of the time before. */
  readonly past: Past;
  readonly #leases: Pick<Leases, 'isAlive'>;
  #lease: Lease;
  /** `left`: nothing more is begun. `lost`: of what was not handed over nothing is said any more either. */
  #end: 'left' | 'lost' | undefined;

  constructor(lease: Lease, past: Past, leases: Pick<Leases, 'isAlive'>) {
    this.#lease = lease;
    this.past = past;
    this.#leases = leases;
  }

  get lease(): Lease {
    return this.#lease;
  }

  /** The lane is still this process's. */
  isOwned(): boolean {
    return this.#end !== 'lost' && this.#leases.isAlive();
  }

  /** The lane is this process's, and is not being given up. */
  mayHandOver(): boolean {
    return this.#end === undefined && this.#leases.isAlive();
  }

  /** Sessions has met a newer epoch while the lease still stands. */
  grow(epoch: number): void {
    this.#lease = { ...this.#lease, epoch };
  }

  leave(): void {
    this.#end ??= 'left';
  }

  lose(): void {
    this.#end = 'lost';
  }
}
