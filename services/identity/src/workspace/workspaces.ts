import {
  type DeleteWorkspace,
  type ListWorkspaces,
  CloseWorkspace,
  type BodyOf,
  type CreateWorkspace,
  type DescribeWorkspace,
  type Page,
  type UpdateWorkspace,
  type Workspace,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import {
  actorOf,
  type InputOf,
  ofOrganization,
  type OperationInput,
  type RequestContext,
} from '@messaging-gateway/service';
import { entityPage, type EntityOrder } from '@messaging-gateway/service/entities';
import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { aboutOrganization } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { WorkspaceRow } from './workspaces-view.ts';
import { workspaceStream, type WorkspaceCommand } from './workspace.ts';

type ShownWorkspace = Static<typeof Workspace>;

const show = ({ id, name, description, createdAt, updatedAt }: InferEntity<typeof WorkspaceRow>): ShownWorkspace => ({
  id,
  name,
  description: description ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const oldestFirst: readonly EntityOrder<InferEntity<typeof WorkspaceRow>>[] = [
  { property: 'createdAt', kind: 'time' },
  { property: 'id', kind: 'id' },
];

/** @throws Refused NOT_FOUND, also for another organization's */
export async function readWorkspace(em: EntityManager, id: string): Promise<ShownWorkspace> {
  const row = await em.findOne(WorkspaceRow, { id });
  if (row === null) throw new Refused('NOT_FOUND', 'There is no such workspace.');
  return show(row);
}

/** The workspaces of the organization, oldest first. */
export async function listWorkspaces({
  query,
  context,
}: InputOf<typeof ListWorkspaces>): Promise<Page<ShownWorkspace>> {
  const em = context.em();
  const [page, total] = await Promise.all([
    entityPage(em, WorkspaceRow, { where: {}, order: oldestFirst, query }),
    em.count(WorkspaceRow),
  ]);
  return { ...page, items: page.items.map(show), total };
}

export async function createWorkspace(
  tools: IdentityTools,
  input: InputOf<typeof CreateWorkspace>,
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
  return readWorkspace(context.em(), workspaceId);
}

export async function updateWorkspace(
  tools: IdentityTools,
  input: InputOf<typeof UpdateWorkspace>,
): Promise<ShownWorkspace> {
  const { body, params, context } = input;
  const { id } = await readWorkspace(context.em(), params.id);
  const { name, ...rest } = body;
  await handle(tools, id, input, { type: 'Change', ...(name !== undefined && { name: name.trim() }), ...rest });
  return readWorkspace(context.em(), id);
}

/**
 * Deletes a workspace without accounts. Sessions, which knows the accounts, closes it first: from then on nobody makes
 * an account there. When a crash cuts that off, asking again goes on.
 *
 * @throws Refused CONFLICT while it holds accounts, or when it is the first of the organization
 */
export async function deleteWorkspace(tools: IdentityTools, input: InputOf<typeof DeleteWorkspace>): Promise<void> {
  const { caller, context, params } = input;
  const { organizationId } = caller;
  const { id } = await readWorkspace(context.em(), params.id);
  const [first] = await context.em().find(WorkspaceRow, {}, { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 1 });
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
  { organizationId, workspaceId }: BodyOf<typeof DescribeWorkspace>,
  context: RequestContext,
): Promise<{ workspaceId: string }> {
  return { workspaceId: (await readWorkspace(ofOrganization(context.em(), organizationId), workspaceId)).id };
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
