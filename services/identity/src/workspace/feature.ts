import {
  CreateWorkspace,
  DeleteWorkspace,
  DescribeWorkspace,
  GetWorkspace,
  ListWorkspaces,
  UpdateWorkspace,
} from '@messaging-gateway/contracts';
import { feature, internalOperation, operation, type ServiceTools } from '@messaging-gateway/service';
import type { IdentitySettings } from '../config.ts';
import { access } from '../tools.ts';
import { workspaceStream } from './workspace.ts';
import { WorkspaceRow, workspacesDeletedView, workspacesView } from './workspaces-view.ts';
import {
  createWorkspace,
  deleteWorkspace,
  describeWorkspace,
  listWorkspaces,
  readWorkspace,
  updateWorkspace,
} from './workspaces.ts';

/** Workspaces: parts of an organization that hold accounts. */
export const workspaces = feature({
  name: 'workspaces',
  streams: [workspaceStream],
  views: [workspacesView, workspacesDeletedView],
  entities: [WorkspaceRow],
  needs: { access },
  connect: (_: ServiceTools<IdentitySettings>, { access: { tools } }) => ({
    rows: [
      operation(ListWorkspaces, (input) => listWorkspaces(input)),
      operation(CreateWorkspace, (input) => createWorkspace(tools, input)),
      operation(GetWorkspace, ({ params, context }) => readWorkspace(context.em(), params.id)),
      operation(UpdateWorkspace, (input) => updateWorkspace(tools, input)),
      operation(DeleteWorkspace, (input) => deleteWorkspace(tools, input)),
      internalOperation(DescribeWorkspace, (asked, context) => describeWorkspace(asked, context)),
    ],
  }),
});
