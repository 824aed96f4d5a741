import type { AnswerOf, BodyOf, CloseWorkspace } from '@messaging-gateway/contracts';
import type { AppendGuard } from '@messaging-gateway/event-sourcing';
import type { Sql } from '@messaging-gateway/service';

/**
 * Lets an account be made in a workspace that was not closed. Its row is locked by the statement that makes the account,
 * so that of closing and making one at the same moment the one sees the other.
 */
export const openWorkspaceGuard: AppendGuard = {
  name: 'open-workspace',
  before: [
    [
      'open_workspaces',
      `INSERT INTO {schema}.workspaces (id, organization_id)
       SELECT DISTINCT (request->>'workspaceId')::uuid, (request->>'organizationId')::uuid FROM {requests} ORDER BY 1
       ON CONFLICT (id) DO UPDATE SET id = excluded.id WHERE NOT workspaces.closed
       RETURNING id`,
    ],
  ],
  sql: `SELECT asked.command FROM {requests} asked
          JOIN open_workspaces ON open_workspaces.id = (asked.request->>'workspaceId')::uuid`,
};

/** Closes a workspace that holds no accounts. */
export async function closeWorkspace(
  sql: Sql,
  { organizationId, workspaceId }: BodyOf<typeof CloseWorkspace>,
): Promise<AnswerOf<typeof CloseWorkspace>> {
  const values = [workspaceId, organizationId];
  return sql.transaction(async (inside) => {
    await inside.query('INSERT INTO workspaces (id, organization_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', values);
    await inside.query('SELECT FROM workspaces WHERE id = $1 AND organization_id = $2 FOR UPDATE', values);
    // A statement of its own: it sees the accounts of those who held the lock before.
    const closed = await inside.query(
      `UPDATE workspaces SET closed = true WHERE id = $1 AND organization_id = $2
          AND NOT EXISTS (SELECT FROM accounts WHERE workspace_id = $1) RETURNING id`,
      values,
    );
    return { closed: closed.length > 0 };
  });
}
