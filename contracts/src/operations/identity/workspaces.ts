import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed, page, pageQuery } from '../../shapes.ts';
import { Description, Workspace } from './organization-shapes.ts';
import { Name } from './shapes.ts';

const params = closed({ id: Id });

export const ListWorkspaces = operation({
  name: 'ListWorkspaces',
  compressed: true,
  owner: 'identity',
  method: 'GET',
  path: '/workspaces',
  access: 'workspace:read',
  tag: 'Workspaces',
  summary: 'List workspaces',
  means: 'The workspaces of the organization, oldest first.',
  query: closed(pageQuery),
  answers: { 200: { body: page(Workspace), means: 'A page of workspaces.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
});

export const CreateWorkspace = operation({
  name: 'CreateWorkspace',
  owner: 'identity',
  method: 'POST',
  path: '/workspaces',
  access: 'workspace:create',
  refusesKeysLimitedIn: ['profiles'],
  tag: 'Workspaces',
  summary: 'Create a workspace',
  means: 'Makes a part of the organization that accounts can lie in.',
  body: closed({ name: Name, description: Type.Optional(Description) }),
  answers: { 201: { body: Workspace, means: 'The workspace exists.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  example: { name: 'Sales' },
});

export const GetWorkspace = operation({
  name: 'GetWorkspace',
  owner: 'identity',
  method: 'GET',
  path: '/workspaces/:id',
  access: 'workspace:read',
  tag: 'Workspaces',
  summary: 'Get a workspace',
  means: 'One workspace.',
  params,
  answers: { 200: { body: Workspace, means: 'The workspace.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
});

export const UpdateWorkspace = operation({
  name: 'UpdateWorkspace',
  owner: 'identity',
  method: 'PUT',
  path: '/workspaces/:id',
  access: 'workspace:update',
  refusesKeysLimitedIn: ['profiles'],
  tag: 'Workspaces',
  summary: 'Update a workspace',
  means: 'Changes the fields given and leaves the others as they are.',
  params,
  body: closed({ name: Type.Optional(Name), description: Type.Optional(Description) }),
  answers: { 200: { body: Workspace, means: 'The workspace as it is now.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  example: { name: 'Support' },
});

export const DeleteWorkspace = operation({
  name: 'DeleteWorkspace',
  owner: 'identity',
  method: 'DELETE',
  path: '/workspaces/:id',
  access: 'workspace:delete',
  refusesKeysLimitedIn: ['profiles'],
  tag: 'Workspaces',
  summary: 'Delete a workspace',
  means:
    'Deletes a workspace without accounts; one that holds any answers 409, and so does the first workspace of the organization, ' +
    'where the account "Default" has its place.',
  params,
  answers: { 204: { means: 'The workspace is deleted.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
});
