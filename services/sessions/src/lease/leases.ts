import type { Sql } from '@messaging-gateway/service';
import { ttlMs } from './heartbeat.ts';

/** The right to hold a profile, until somebody has it with a higher epoch. */
export interface Lease {
  readonly profileId: string;
  readonly organizationId: string;
  readonly epoch: number;
}

/** One row per profile: its owner and an epoch that grows with each change of hands (architecture §6). */
export class Leases {
  readonly #sql: Sql;
  readonly #replicaId: string;
  readonly #isAlone: boolean;

  /** @param isAlone no other replica can live: whoever stands in a row is gone */
  constructor(sql: Sql, replicaId: string, isAlone: boolean) {
    this.#sql = sql;
    this.#replicaId = replicaId;
    this.#isAlone = isAlone;
  }

  /** Takes those profiles that nobody alive holds. */
  async claim(profiles: readonly { readonly profileId: string; readonly organizationId: string }[]): Promise<Lease[]> {
    if (profiles.length === 0) return [];
    const rows = await this.#sql.query<{ profile_id: string; organization_id: string; epoch: string }>(
      `insert into leases as held (profile_id, organization_id, replica_id, epoch, claimed_at)
       select p.id, p.organization_id, $3, 1, clock_timestamp() from unnest($1::uuid[], $2::uuid[]) as p(id, organization_id) order by p.id
       on conflict (profile_id) do update set replica_id = $3, epoch = held.epoch + 1, claimed_at = clock_timestamp()
         where $4 or held.replica_id is null or held.replica_id = $3 or not exists (
           select from replicas r where r.id = held.replica_id and r.heartbeat_at > clock_timestamp() - make_interval(secs => $5))
       returning profile_id, organization_id, epoch`,
      [
        profiles.map(({ profileId }) => profileId),
        profiles.map(({ organizationId }) => organizationId),
        this.#replicaId,
        this.#isAlone,
        ttlMs / 1000,
      ],
    );
    return rows.map((row) => ({
      profileId: row.profile_id,
      organizationId: row.organization_id,
      epoch: Number(row.epoch),
    }));
  }

  /** Whether the row still names this replica with this epoch. */
  async isHeld({ profileId, epoch }: Lease): Promise<boolean> {
    const rows = await this.#sql.query('select from leases where profile_id = $1 and replica_id = $2 and epoch = $3', [
      profileId,
      this.#replicaId,
      epoch,
    ]);
    return rows.length > 0;
  }

  /** Those of these leases that other replicas have taken. */
  async lost(leases: readonly Lease[]): Promise<readonly Lease[]> {
    const rows = await this.#sql.query<{ profile_id: string; epoch: string }>(
      'select profile_id, epoch from leases where replica_id = $1 and profile_id = any($2::uuid[])',
      [this.#replicaId, leases.map(({ profileId }) => profileId)],
    );
    const held = new Map(rows.map((row) => [row.profile_id, Number(row.epoch)]));
    return leases.filter(({ profileId, epoch }) => held.get(profileId) !== epoch);
  }

  async release(lease: Lease): Promise<void> {
    await this.#sql.query(
      'update leases set replica_id = null where profile_id = $1 and replica_id = $2 and epoch = $3',
      [lease.profileId, this.#replicaId, lease.epoch],
    );
  }
}
