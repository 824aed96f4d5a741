import type { Lease, Leases } from '@messaging-gateway/leases';
import type { Past } from './open-message.ts';

/** How this process holds a lane: from the claim of its lease until the lane is given up or lost. */
export class Tenure {
  /** What the table may hold of the time before. */
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

  /** The same, and it is not being given up. */
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
