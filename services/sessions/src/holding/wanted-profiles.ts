import { setTimeout as sleep } from 'node:timers/promises';
import { isFree, isPassed } from '@messaging-gateway/leases';
import type { ServiceTools, Sql } from '@messaging-gateway/service';
import type { EngineKind } from '../engine/engine.ts';
import type { ConnectionStatus } from '../profiles/profile.ts';
import type { SessionDataStore } from '../session-data/session-data-store.ts';
import { ProfileNotes } from '../connection/told-status.ts';
import { restarted } from '../connection/status-reasons.ts';

/** A profile that could be held. */
export interface ToHold {
  readonly profileId: string;
  readonly organizationId: string;
  readonly engine: EngineKind | undefined;
  /** A start logs in without a scan. */
  readonly isLinked: boolean;
  /** The profile was connected where it was held before, and is to be connected here. */
  readonly isComing?: boolean;
}

/** A profile that should be connected. */
export interface WantedProfile extends ToHold {
  readonly status: ConnectionStatus;
  /** Another replica has just let go of it in order, for this one to take it. */
  readonly isPassed: boolean;
}

/** Of leases `l`: those of profiles that should be connected. */
export const areWanted = 'exists (select from profiles p where p.id = l.key::uuid and p.is_wanted)';

interface Row {
  readonly id: string;
  readonly organization_id: string;
  readonly engine: EngineKind | null;
  readonly status: ConnectionStatus;
  readonly phone_number: string | null;
}

const columns = 'p.id, p.organization_id, p.engine, p.status, p.phone_number';

/** From a row of the profiles. */
export const toHold = ({ id, organization_id, engine, phone_number }: Omit<Row, 'status'>): ToHold => ({
  profileId: id,
  organizationId: organization_id,
  engine: engine ?? undefined,
  isLinked: phone_number !== null,
});

export interface Search {
  readonly replicaId: string;
  /** No other replica can live. */
  readonly isAlone: boolean;
  /** Time to live of the replicas, milliseconds. */
  readonly ttlMs: number;
  /** Held here already. */
  readonly held: readonly string[];
}

/** Many ids at once: compared by hash, not one with each. */
const isNone = (id: string, ids: string): string =>
  `NOT EXISTS (SELECT FROM unnest(${ids}::uuid[]) AS o(id) WHERE o.id = ${id})`;

/** How many profiles should be connected. */
export async function countWanted(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>('SELECT count(*)::int AS count FROM profiles WHERE is_wanted');
  return row?.count ?? 0;
}

/** Profiles that should be connected and that nobody alive holds: those connected last come first. */
export async function findWanted(
  sql: Sql,
  { replicaId, isAlone, ttlMs, held }: Search,
  limit: number,
): Promise<WantedProfile[]> {
  const rows = await sql.query<Row & { readonly is_passed: boolean }>(
    `SELECT ${columns}, ${isPassed('p.id::text', '$2')} AS is_passed FROM profiles p
      WHERE p.is_wanted AND ${isNone('p.id', '$1')} AND ($3 OR ${isFree('p.id::text', '$2', ttlMs)})
      ORDER BY p.last_connected_at DESC NULLS LAST, p.id LIMIT $4`,
    [held, replicaId, isAlone, limit],
  );
  return rows.map((row) => ({
    ...toHold(row),
    status: row.status,
    isComing: !isAlone && row.status === 'connected',
    isPassed: row.is_passed,
  }));
}

/** Profiles that stay down, and have facts that the journal had not taken when their process ended. */
export async function findRemainders(
  sql: Sql,
  sessions: SessionDataStore,
  { replicaId, isAlone, ttlMs, held }: Search,
): Promise<ToHold[]> {
  const rows = await sql.query<Row>(
    `SELECT ${columns} FROM profiles p
      WHERE NOT p.is_wanted AND ${isNone('p.id', '$1')} AND ($3 OR ${isFree('p.id::text', '$2', ttlMs)})`,
    [held, replicaId, isAlone],
  );
  const ids = rows.map(({ id }) => id);
  const behind = new Set([...(await sessions.holding(ids, 'inbox')), ...(await sessions.holding(ids, 'media'))]);
  return rows.filter(({ id }) => behind.has(id)).map(toHold);
}

/** How long a start waits until it is written that nothing is connected yet, milliseconds; it follows later by itself. */
const admittedMs = 10_000;

/** Writes that no profile is connected yet, whatever the last process left written: before anybody can ask. */
export async function admitInterruption({
  sql,
  store,
  clock,
  log,
}: Pick<ServiceTools<unknown>, 'sql' | 'store' | 'clock' | 'log'>): Promise<void> {
  const rows = await sql.query<Row>(`SELECT ${columns} FROM profiles p WHERE is_wanted AND status = 'connected'`);
  const at = new Date(clock.now()).toISOString();
  const written = Promise.all(
    rows.map(({ id: profileId, organization_id: organizationId }) =>
      new ProfileNotes({ organizationId, profileId, store, log }).note({
        type: 'NoteStatus',
        status: 'reconnecting',
        reason: restarted,
        at,
      }),
    ),
  );
  await Promise.race([written, sleep(admittedMs, undefined, { ref: false })]);
}
