import {
  CloseWorkspace,
  type BodyOf,
  type CreateWorkspace,
  type DescribeWorkspace,
  type Page,
  type UpdateWorkspace,
  type Workspace,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { decodeCursor, pageOf, type OperationInput } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { aboutOrganization, actorOf } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { workspaceStream, type WorkspaceCommand } from './workspace.ts';

type ShownWorkspace = Static<typeof Workspace>;

interface WorkspaceRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = 'id, name, description, created_at, updated_at';

const show = ({ id, name, description, created_at, updated_at }: WorkspaceRecord): ShownWorkspace => ({
  id,
  name,
  description,
  createdAt: created_at.toISOString(),
  updatedAt: updated_at.toISOString(),
});

/** @throws Refused NOT_FOUND, also for another organization's */
export async function readWorkspace(tools: IdentityTools, id: string, organizationId: string): Promise<ShownWorkspace> {
  const [row] = await tools.sql.query<WorkspaceRecord>(
    `SELECT ${columns} FROM identity.workspaces WHERE id = $1 AND organization_id = $2`,
    [id, organizationId],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'There is no such workspace.');
  return show(row);
}

/** The workspaces of the organization, oldest first. */
export async function listWorkspaces(
  tools: IdentityTools,
  { caller: { organizationId }, query }: OperationInput<unknown>,
): Promise<Page<ShownWorkspace>> {
  const limit = Number(query['limit'] ?? 50);
  const place = decodeCursor(query['cursor'], ['time', 'id']);
  const [rows, counted] = await Promise.all([
    tools.sql.query<WorkspaceRecord>(
      `SELECT ${columns} FROM identity.workspaces
        WHERE organization_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::uuid))
        ORDER BY created_at, id LIMIT $4`,
      [organizationId, place?.[0], place?.[1], limit + 1],
    ),
    tools.sql.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM identity.workspaces WHERE organization_id = $1',
      [organizationId],
    ),
  ]);
  return {
    ...pageOf(rows, limit, (row) => [row.created_at.toISOString(), row.id], show),
    total: counted[0]?.total ?? 0,
  };
}

export async function createWorkspace(
  tools: IdentityTools,
  input: OperationInput<BodyOf<typeof CreateWorkspace>>,
): Promise<ShownWorkspace> {
  const { body, caller, context } = input;
  const workspaceId = context.resourceId;
  await handle(tools, workspaceId, input, {
    type: 'Create',
    workspaceId,
    organizationId: caller.organizationId,
    name: body.name.trim(),
    ...(typeof body.description === 'string' && { description: body.description }),
  });
  return readWorkspace(tools, workspaceId, caller.organizationId);
}

export async function updateWorkspace(
  tools: IdentityTools,
  input: OperationInput<BodyOf<typeof UpdateWorkspace>>,
): Promise<ShownWorkspace> {
  const { body, caller, params } = input;
  const { id } = await readWorkspace(tools, params['id'] ?? '', caller.organizationId);
  const { name, ...rest } = body;
  await handle(tools, id, input, { type: 'Change', ...(name !== undefined && { name: name.trim() }), ...rest });
  return readWorkspace(tools, id, caller.organizationId);
}

/**
 * Deletes a workspace without accounts. Sessions, which knows the accounts, closes it first: from then on nobody makes
 * an account there. When a crash cuts that off, asking again goes on.
 *
 * @throws Refused CONFLICT while it holds accounts, or when it is the first of the organization
 */
export async function deleteWorkspace(tools: IdentityTools, input: OperationInput<unknown>): Promise<void> {
  const { caller, context, params } = input;
  const { organizationId } = caller;
  const { id } = await readWorkspace(tools, params['id'] ?? '', organizationId);
  const [first] = await tools.sql.query<{ id: string }>(
    'SELECT id FROM identity.workspaces WHERE organization_id = $1 ORDER BY created_at, id LIMIT 1',
    [organizationId],
  );
  if (first?.id === id) throw new Refused('CONFLICT', 'The first workspace of an organization stays.');
  const asked = { organizationId, workspaceId: id };
  const { closed } = await tools.ask(CloseWorkspace, asked, {
    requestId: context.requestId,
    deadline: context.deadline,
  });
  if (!closed) throw new Refused('CONFLICT', 'The workspace still has accounts.');
  await handle(tools, id, input, { type: 'Delete' });
}

/** For sessions, before it puts an account into a workspace. */
export async function describeWorkspace(
  tools: IdentityTools,
  { organizationId, workspaceId }: BodyOf<typeof DescribeWorkspace>,
): Promise<{ workspaceId: string }> {
  return { workspaceId: (await readWorkspace(tools, workspaceId, organizationId)).id };
}

async function handle(
  tools: IdentityTools,
  id: string,
  { caller, context }: Pick<OperationInput<unknown>, 'caller' | 'context'>,
  command: WorkspaceCommand,
): Promise<void> {
  const metadata = aboutOrganization(caller.organizationId, context, actorOf(caller));
  await tools.store.handle(workspaceStream, id, command, { metadata, onAppended: context.appended });
}
