import { OfferProfile, SteerConnection } from '@messaging-gateway/contracts';
import { Balance, type Leases, settledAfter } from '@messaging-gateway/leases';
import { every, type Job, type ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { handOverOne, type HandOverParts } from './hand-over.ts';
import type { HeldProfile, Steered, Steering } from './held-profile.ts';
import { areWanted } from './wanted-profiles.ts';

export interface SharingOutParts extends HandOverParts {
  readonly tools: ServiceTools<SessionsSettings>;
  readonly leases: Leases;
  readonly held: () => readonly HeldProfile[];
  /** Whether one more can be taken, without letting go of another. */
  readonly hasRoom: () => boolean;
  /** Takes a profile over from its holder. */
  readonly resume: (steering: Steering) => Promise<Steered>;
}

/** A replica that was promised a profile expects it for so long, milliseconds. */
const promiseMs = 10_000;

/**
 * Moves profiles from replicas that hold more to those that hold fewer: the one that was quiet longest first, one at a time,
 * none while a request to it is in progress. And takes what is given to this replica by name.
 *
 * @see docs/decisions/0813-keys-move-to-those-who-hold-fewer.md
 */
export class SharingOut {
  readonly #parts: SharingOutParts;
  readonly #settledMs: number;
  readonly #balance: Balance;
  readonly jobs: readonly Job[];
  #promisedUntil = 0;
  #unserve: (() => Promise<void>)[] = [];

  constructor(parts: SharingOutParts) {
    this.#parts = parts;
    const { rebalanceSeconds, isAlone } = parts.tools.settings;
    this.#settledMs = settledAfter(rebalanceSeconds, parts.leases.ttlMs);
    this.#balance = new Balance(parts.leases.replicaId, this.#settledMs);
    const isOff = isAlone || rebalanceSeconds === 0;
    this.jobs = isOff ? [] : [every(rebalanceSeconds * 1000, 'profiles shared out', (signal) => this.#giveOne(signal))];
  }

  /** Takes what is given to this replica. */
  async start(): Promise<void> {
    const { tools, leases } = this.#parts;
    if (tools.settings.isAlone) return;
    this.#unserve = await Promise.all([
      tools.serveRoute(OfferProfile, leases.replicaId, async () => ({ isWelcome: this.#promise() })),
      tools.serveRoute(SteerConnection, leases.replicaId, (steering) => {
        this.#promisedUntil = 0;
        return this.#parts.resume(steering);
      }),
    ]);
  }

  /** From now on nothing is given to this replica. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#unserve.splice(0).map((stop) => stop()));
  }

  #promise(): boolean {
    const now = performance.now();
    if (now < this.#promisedUntil || !this.#parts.hasRoom()) return false;
    this.#promisedUntil = now + promiseMs;
    return true;
  }

  async #giveOne(signal: AbortSignal): Promise<void> {
    const { leases, tools } = this.#parts;
    if (!leases.isSteady() || leases.isDraining()) return;
    const to = this.#balance.receiver(await leases.standings(areWanted));
    const held = to === undefined ? undefined : this.#quietest();
    if (to === undefined || held === undefined) return;
    const { profileId, organizationId } = held.lease;
    const { isWelcome } = await tools
      .ask(OfferProfile, { organizationId, profileId }, { route: to, holdMs: 0 })
      .catch(() => ({ isWelcome: false }));
    // Meanwhile somebody may have asked for it.
    if (!isWelcome || signal.aborted || held.quietMs === undefined) return;
    tools.log.info('A profile moves to a replica that holds fewer', { profileId, to });
    await handOverOne(held, to, this.#parts);
  }

  /** Of those that have been here for a while: one that came only just now does not go on. */
  #quietest(): HeldProfile | undefined {
    return this.#parts
      .held()
      .filter(({ quietMs, heldMs }) => quietMs !== undefined && heldMs >= this.#settledMs)
      .toSorted((one, other) => (other.quietMs ?? 0) - (one.quietMs ?? 0))[0];
  }
}
