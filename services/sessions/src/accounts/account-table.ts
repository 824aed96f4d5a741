import { decodeCursor, pageOf, type Sql } from '@messaging-gateway/service';
import { Refused } from '@messaging-gateway/messaging';
import type { Page } from '@messaging-gateway/contracts';
import { view, type InlineView } from '@messaging-gateway/event-sourcing';
import { accountStream } from './account.ts';

interface AccountRecord {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface AccountFilters {
  readonly limit?: number;
  readonly cursor?: string;
  readonly workspaceId?: string;
  readonly search?: string;
}

const columns = 'id, workspace_id, name, description, created_at, updated_at';

const show = (row: AccountRecord) => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  description: row.description,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
export type ShownAccount = ReturnType<typeof show>;

const accountNotFound = (): Refused => new Refused('NOT_FOUND', 'There is no such account.');

/** @throws Refused NOT_FOUND, also for another organization's */
export async function readAccount(sql: Sql, organizationId: string, id: string): Promise<ShownAccount> {
  const [row] = await sql.query<AccountRecord>(
    `SELECT ${columns} FROM accounts WHERE id = $1 AND organization_id = $2`,
    [id, organizationId],
  );
  if (row === undefined) throw accountNotFound();
  return show(row);
}

export async function listAccounts(
  sql: Sql,
  organizationId: string,
  filters: AccountFilters,
): Promise<Page<ShownAccount>> {
  const { limit = 50, cursor, workspaceId, search } = filters;
  const place = decodeCursor(cursor, ['time', 'id']);
  const matches = `organization_id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) AND ($3::text IS NULL OR strpos(lower(name), lower($3)) > 0)`;
  const values = [organizationId, workspaceId, search];
  const [rows, [counted]] = await Promise.all([
    sql.query<AccountRecord>(
      `SELECT ${columns} FROM accounts WHERE ${matches} AND ($4::timestamptz IS NULL OR (created_at, id) > ($4, $5::uuid)) ORDER BY created_at, id LIMIT $6`,
      [...values, place?.[0], place?.[1], limit + 1],
    ),
    sql.query<{ count: string }>(`SELECT count(*) AS count FROM accounts WHERE ${matches}`, values),
  ]);
  return {
    ...pageOf(rows, limit, (row) => [row.created_at.toISOString(), row.id], show),
    total: Number(counted?.count ?? 0),
  };
}

/** Whether an account has profiles. */
export async function hasProfiles(sql: Sql, accountId: string): Promise<boolean> {
  return (await sql.query('SELECT FROM profiles WHERE account_id = $1 LIMIT 1', [accountId])).length > 0;
}

const tables = ['accounts'];
const idOf = ({ stream }: { readonly stream: string }): string => stream.slice('account-'.length);

const accountsCreated = view({
  name: 'accounts created',
  tables,
  of: accountStream,
  on: ['AccountCreated'],
  rows: (events) =>
    events.map((event) => ({
      id: idOf(event),
      organizationId: event.metadata.organizationId,
      ...event.data,
    })),
  sql: `INSERT INTO {schema}.accounts (id, organization_id, workspace_id, name, description, created_at, updated_at)
    SELECT (row->>'id')::uuid, (row->>'organizationId')::uuid, (row->>'workspaceId')::uuid, row->>'name', row->>'description',
           (row->>'at')::timestamptz, (row->>'at')::timestamptz FROM {rows}
    ON CONFLICT (id) DO NOTHING`,
});

const accountsChanged = view({
  name: 'accounts changed',
  tables,
  of: accountStream,
  on: ['AccountChanged'],
  rows: (events) => events.map((event) => ({ id: idOf(event), ...event.data })),
  sql: `UPDATE {schema}.accounts SET name = row->>'name', description = row->>'description', updated_at = (row->>'at')::timestamptz
    FROM {rows} WHERE id = (row->>'id')::uuid`,
});

const accountsDeleted = view({
  name: 'accounts deleted',
  tables,
  of: accountStream,
  on: ['AccountDeleted'],
  rows: (events) => events.map((event) => ({ id: idOf(event) })),
  sql: `DELETE FROM {schema}.accounts USING {rows} WHERE id = (row->>'id')::uuid`,
});

export const accountViews: readonly InlineView[] = [accountsCreated, accountsChanged, accountsDeleted];
