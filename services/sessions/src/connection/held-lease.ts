import type { Lease, Leases } from '@messaging-gateway/leases';
import { SessionDataUnavailable, StaleEpoch } from '../session-data/session-data-store.ts';

/** The lease of one profile in the hand of its holder. */
export class HeldLease {
  readonly #leases: Leases;
  readonly #isAlone: boolean;
  #lease: Lease;

  constructor(lease: Lease, leases: Leases, isAlone: boolean) {
    this.#lease = lease;
    this.#leases = leases;
    this.#isAlone = isAlone;
  }

  get current(): Lease {
    return this.#lease;
  }

  get profileId(): string {
    return this.#lease.key;
  }

  get organizationId(): string {
    return this.#lease.organizationId;
  }

  get epoch(): number {
    return this.#lease.epoch;
  }

  /** This replica may act on what it holds: it has renewed of late. */
  isAlive(): boolean {
    return this.#leases.isAlive();
  }

  /** Whether the row still names this replica: asked when another client took its place. */
  isHeld(): Promise<boolean> {
    return this.#leases.isHeld(this.#lease);
  }

  /** Somebody else has it, as far as the row can be read. */
  async isLost(): Promise<boolean> {
    return !this.#isAlone && !(await this.isHeld().catch(() => true));
  }

  /**
   * Takes a higher epoch, which keeps out what may still be on its way to the database under the former one.
   *
   * @throws StaleEpoch when somebody else has the profile, SessionDataUnavailable when that cannot be known now
   */
  async renew(): Promise<void> {
    if (this.#isAlone) return;
    const [lease] = await this.#leases.claim([this.#lease]);
    if (lease !== undefined) this.#lease = lease;
    else if (await this.isHeld()) throw new SessionDataUnavailable('The lease cannot be renewed now.');
    else throw new StaleEpoch(this.profileId);
  }
}
