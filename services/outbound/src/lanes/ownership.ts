import { holdersOf, Leases, livingAmong, outgrow, type Lease } from '@messaging-gateway/leases';
import type { Logger } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import type { LaneRecords } from '../views/lane-records.ts';
import type { Lane } from './lane.ts';

export interface OwnershipParts {
  readonly sql: Sql;
  readonly records: LaneRecords;
  readonly log: Logger;
  /** A single process owns all lanes. */
  readonly isAlone: boolean;
  /** Others may take the lanes of this process. */
  readonly onLost: () => void;
}

type Owned = Pick<Lane, 'profileId' | 'organizationId' | 'epoch'>;

/**
 * Who may hand over for a lane: the replica that the lane's lease names, with the lease's epoch.
 *
 * @see docs/decisions/0300-owners-of-lanes.md
 */
export class Ownership {
  readonly isAlone: boolean;
  readonly #parts: OwnershipParts;
  readonly #leases: Leases;

  constructor(parts: OwnershipParts) {
    const { sql, log, isAlone, onLost } = parts;
    this.isAlone = isAlone;
    this.#parts = parts;
    this.#leases = new Leases({ sql, log, isAlone, onLost });
  }

  get replicaId(): string {
    return this.#leases.replicaId;
  }

  /** Whether this process may go on with the lanes that it owns: asked before each step. */
  mayOwn(): boolean {
    return this.#leases.isAlive();
  }

  async start(): Promise<void> {
    if (!this.isAlone) await this.#leases.start();
  }

  /** Takes no lanes from now on. */
  async drain(): Promise<void> {
    if (!this.isAlone) await this.#leases.drain();
  }

  async stop(): Promise<void> {
    if (!this.isAlone) await this.#leases.stop();
  }

  /** @returns the leases of those lanes that are this process's now */
  claim(lanes: readonly { readonly profileId: string; readonly organizationId: string }[]): Promise<Lease[]> {
    return this.#leases.claim(lanes.map(({ profileId: key, organizationId }) => ({ key, organizationId })));
  }

  /** Gives lanes up that have stopped, for whoever comes first. */
  async giveUp(lanes: readonly Lane[]): Promise<void> {
    const accounted = lanes.filter(({ queue }) => queue.isAccountedFor);
    if (accounted.length > 0) await this.#parts.records.noteLeft(accounted);
    await this.#leases.release(lanes.map(leaseOf));
  }

  /** Those of these lanes that other replicas have taken. */
  async lost<L extends Owned>(lanes: readonly L[]): Promise<readonly L[]> {
    const lost = new Set((await this.#leases.lost(lanes.map(leaseOf))).map(({ key }) => key));
    return lanes.filter(({ profileId }) => lost.has(profileId));
  }

  /** A newer epoch than that of the lane was seen. @returns one above it, if the lane is still this process's */
  async outgrow(lane: Owned, seen: number): Promise<number | undefined> {
    return (await outgrow(this.#parts.sql, this.replicaId, leaseOf(lane), seen))?.epoch;
  }

  /** Whether another replica could take over. */
  hasOthers(): Promise<boolean> {
    return this.#leases.hasOthers();
  }

  /** The replica that owns a lane and lives, by the database. */
  async ownerOf(profileId: string): Promise<string | undefined> {
    const holder = (await holdersOf(this.#parts.sql, [profileId])).get(profileId);
    return holder?.isAlive === true ? holder.replicaId : undefined;
  }

  /** Those of these profiles whose lane nobody owns who lives. */
  async orphans(profileIds: readonly string[]): Promise<string[]> {
    const holders = await holdersOf(this.#parts.sql, profileIds);
    return profileIds.filter((profileId) => {
      const holder = holders.get(profileId);
      return holder?.isAlive !== true || holder.replicaId === this.replicaId;
    });
  }

  living(replicaIds: readonly string[]): Promise<ReadonlySet<string>> {
    return livingAmong(this.#parts.sql, replicaIds);
  }
}

const leaseOf = ({ profileId, organizationId, epoch }: Owned): Lease => ({ key: profileId, organizationId, epoch });
