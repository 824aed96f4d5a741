import type { Caller } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { assertProfileAllowed, decodeCursor, pageOf, type Sql } from '@messaging-gateway/service';
import type { EngineKind } from '../engine/engine.ts';
import type { ConnectionStatus } from '../profile/profile-events.ts';

/** A profile as its view holds it. */
export interface ProfileRecord {
  readonly id: string;
  readonly organization_id: string;
  readonly account_id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly engine: EngineKind | null;
  readonly status: ConnectionStatus;
  readonly status_reason: string | null;
  readonly is_wanted: boolean;
  readonly phone_number: string | null;
  readonly push_name: string | null;
  readonly since: Date;
  readonly last_connected_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface ProfileFilters {
  readonly limit?: number;
  readonly cursor?: string;
  readonly accountId?: string;
  readonly status?: ConnectionStatus;
  readonly search?: string;
}

const columns = `id, organization_id, account_id, workspace_id, name, engine, status, status_reason, is_wanted, phone_number,
  push_name, since, last_connected_at, created_at, updated_at`;

const notFound = (): Refused => new Refused('NOT_FOUND', 'There is no such profile.');

export async function findProfile(sql: Sql, organizationId: string, id: string): Promise<ProfileRecord | undefined> {
  const [row] = await sql.query<ProfileRecord>(
    `select ${columns} from profiles where id = $1 and organization_id = $2`,
    [id, organizationId],
  );
  return row;
}

/**
 * A profile that the caller may touch.
 *
 * @param accountId the account of the path, when there is one
 * @throws Refused NOT_FOUND, also for another organization's or account's; FORBIDDEN for an API key limited to others
 */
export async function callersProfile(sql: Sql, caller: Caller, id: string, accountId?: string): Promise<ProfileRecord> {
  const row = await findProfile(sql, caller.organizationId, id);
  if (row === undefined || (accountId !== undefined && row.account_id !== accountId)) throw notFound();
  assertProfileAllowed(caller, id);
  return row;
}

/** Those that the caller may see; `total` counts the same. */
export async function listProfiles(
  sql: Sql,
  caller: Caller,
  filters: ProfileFilters,
): Promise<{ items: ProfileRecord[]; nextCursor: string | null; total: number }> {
  const { limit = 50, cursor, accountId, status, search } = filters;
  const place = decodeCursor(cursor, ['time', 'id']);
  const matches = `organization_id = $1 and ($2::uuid is null or account_id = $2) and ($3::text is null or status = $3)
    and ($4::text is null or strpos(lower(name), lower($4)) > 0) and ($5::uuid[] is null or id = any($5))`;
  const values = [caller.organizationId, accountId, status, search, caller.profileIds];
  const [rows, [counted]] = await Promise.all([
    sql.query<ProfileRecord>(
      `select ${columns} from profiles where ${matches} and ($6::timestamptz is null or (created_at, id) > ($6, $7::uuid)) order by created_at, id limit $8`,
      [...values, place?.[0], place?.[1], limit + 1],
    ),
    sql.query<{ count: string }>(`select count(*) as count from profiles where ${matches}`, values),
  ]);
  return {
    ...pageOf(
      rows,
      limit,
      (row) => [row.created_at.toISOString(), row.id],
      (row) => row,
    ),
    total: Number(counted?.count ?? 0),
  };
}

/** How many profiles an organization has besides one. */
export async function countProfiles(sql: Sql, organizationId: string, besides: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*)::int as count from profiles where organization_id = $1 and id <> $2',
    [organizationId, besides],
  );
  return row?.count ?? 0;
}

/** Whether an account has profiles. */
export async function hasProfiles(sql: Sql, accountId: string): Promise<boolean> {
  return (await sql.query('select from profiles where account_id = $1 limit 1', [accountId])).length > 0;
}
