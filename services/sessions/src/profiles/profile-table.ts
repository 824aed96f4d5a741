import type { AnswerOf, BodyOf, Caller, CountProfiles } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { assertProfileAllowed, decodeCursor, pageOf, type Sql } from '@messaging-gateway/service';
import { view, type EventsOf, type InlineView } from '@messaging-gateway/event-sourcing';
import type { EngineKind } from '../engine/engine.ts';
import { minutesOfProfile } from './handover-minutes.ts';
import { engineOfOld, profileStream, type ConnectionStatus } from './profile.ts';

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
  /** `<id>@lid`. */
  readonly lid: string | null;
  readonly push_name: string | null;
  readonly handover_minutes: number;
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

const columns = `id, organization_id, account_id, workspace_id, name, engine, status, status_reason, is_wanted, phone_number, lid,
  push_name, since, last_connected_at, created_at, updated_at, ${minutesOfProfile} AS handover_minutes`;

export const profileNotFound = (): Refused => new Refused('NOT_FOUND', 'There is no such profile.');

export async function findProfile(sql: Sql, organizationId: string, id: string): Promise<ProfileRecord | undefined> {
  const [row] = await sql.query<ProfileRecord>(
    `SELECT ${columns} FROM profiles WHERE id = $1 AND organization_id = $2`,
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
  if (row === undefined || (accountId !== undefined && row.account_id !== accountId)) throw profileNotFound();
  assertProfileAllowed(caller, id);
  return row;
}

/** The profiles that the caller may see; `total` counts the same. */
export async function listProfiles(
  sql: Sql,
  caller: Caller,
  filters: ProfileFilters,
): Promise<{ items: ProfileRecord[]; nextCursor: string | null; total: number }> {
  const { limit = 50, cursor, accountId, status, search } = filters;
  const place = decodeCursor(cursor, ['time', 'id']);
  const matches = `organization_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR status = $3)
    AND ($4::text IS NULL OR strpos(lower(name), lower($4)) > 0) AND ($5::uuid[] IS NULL OR id = ANY($5))`;
  const values = [caller.organizationId, accountId, status, search, caller.profileIds];
  const [rows, [counted]] = await Promise.all([
    sql.query<ProfileRecord>(
      `SELECT ${columns} FROM profiles WHERE ${matches} AND ($6::timestamptz IS NULL OR (created_at, id) > ($6, $7::uuid)) ORDER BY created_at, id LIMIT $8`,
      [...values, place?.[0], place?.[1], limit + 1],
    ),
    sql.query<{ count: string }>(`SELECT count(*) AS count FROM profiles WHERE ${matches}`, values),
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
    'SELECT count(*)::int AS count FROM profiles WHERE organization_id = $1 AND id <> $2',
    [organizationId, besides],
  );
  return row?.count ?? 0;
}

/** For other services. */
export async function countConnected(
  sql: Sql,
  { organizationId, profileIds }: BodyOf<typeof CountProfiles>,
): Promise<AnswerOf<typeof CountProfiles>> {
  const [row] = await sql.query<AnswerOf<typeof CountProfiles>>(
    `SELECT count(*)::int AS total, (count(*) FILTER (WHERE status = 'connected'))::int AS connected
       FROM profiles WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2))`,
    [organizationId, profileIds ?? null],
  );
  return row ?? { total: 0, connected: 0 };
}

const tables = ['profiles'];
const idOf = ({ stream }: { readonly stream: string }): string => stream.slice('profile-'.length);

const profilesCreated = view({
  name: 'profiles created',
  tables,
  of: profileStream,
  on: ['ProfileCreated'],
  rows: (events) =>
    events.map((event) => ({
      id: idOf(event),
      organizationId: event.metadata.organizationId,
      ...event.data,
    })),
  sql: `INSERT INTO {schema}.profiles (id, organization_id, account_id, workspace_id, name, engine, status, is_wanted, since, created_at, updated_at)
    SELECT (row->>'id')::uuid, (row->>'organizationId')::uuid, (row->>'accountId')::uuid, (row->>'workspaceId')::uuid, row->>'name', row->>'engine',
           'disconnected', false, (row->>'at')::timestamptz, (row->>'at')::timestamptz, (row->>'at')::timestamptz FROM {rows}
    ON CONFLICT (id) DO NOTHING`,
});

const changing = [
  'ProfileRenamed',
  'ConnectionWanted',
  'ConnectionUnwanted',
  'StatusChanged',
  'Connected',
  'PushNameLearned',
  'Unlinked',
] as const;
type Changing = EventsOf<typeof profileStream, (typeof changing)[number]>;

/** The columns that an event changes; null empties one. */
function patchOf(event: Changing): object {
  switch (event.type) {
    case 'ProfileRenamed':
      return { name: event.data.name, updated_at: event.data.at };
    case 'ConnectionWanted':
      return { is_wanted: true };
    case 'ConnectionUnwanted':
      return { is_wanted: false };
    case 'StatusChanged':
      return { status: event.data.status, status_reason: event.data.reason ?? null, since: event.data.at };
    case 'Connected':
      return {
        status: 'connected',
        status_reason: null,
        since: event.data.at,
        last_connected_at: event.data.at,
        phone_number: event.data.phoneNumber,
        ...(event.data.lid !== undefined && { lid: event.data.lid }),
        ...(event.data.pushName !== undefined && { push_name: event.data.pushName }),
      };
    case 'PushNameLearned':
      return { push_name: event.data.pushName };
    case 'Unlinked':
      return { phone_number: null, lid: null, push_name: null };
  }
}

/** The engine of a profile that has none yet: that of its first connect. */
function engineOf(event: Changing): { readonly engine?: EngineKind } {
  if (event.type === 'Connected') return { engine: engineOfOld };
  const engine = event.type === 'ConnectionWanted' ? event.data.engine : undefined;
  return engine === undefined ? {} : { engine };
}

const text = ['name', 'status', 'status_reason', 'phone_number', 'lid', 'push_name'];
const times = ['since', 'last_connected_at', 'updated_at'];
const set = (column: string, cast: string): string =>
  `${column} = CASE WHEN row ? '${column}' THEN (row->>'${column}')${cast} ELSE p.${column} END`;

const profilesChanged = view({
  name: 'profiles changed',
  tables,
  of: profileStream,
  on: changing,
  rows: (events) => {
    const [first] = events;
    const patch = Object.assign({}, ...events.map(patchOf), ...events.map(engineOf).toReversed()) as object;
    return first === undefined || Object.keys(patch).length === 0 ? [] : [{ id: idOf(first), ...patch }];
  },
  sql: `UPDATE {schema}.profiles p SET ${[...text.map((column) => set(column, '')), ...times.map((column) => set(column, '::timestamptz')), set('is_wanted', '::boolean')].join(', ')},
      engine = coalesce(p.engine, row->>'engine')
    FROM {rows} WHERE p.id = (row->>'id')::uuid`,
});

const profilesDeleted = view({
  name: 'profiles deleted',
  tables,
  of: profileStream,
  on: ['ProfileDeleted'],
  rows: (events) => events.map((event) => ({ id: idOf(event) })),
  sql: `DELETE FROM {schema}.profiles USING {rows} WHERE id = (row->>'id')::uuid`,
});

export const profileViews: readonly InlineView[] = [profilesCreated, profilesChanged, profilesDeleted];
