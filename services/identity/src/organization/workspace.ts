import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';

export interface Opening {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly name: string;
}
export type WorkspaceEvent = { type: 'WorkspaceCreated'; data: Opening };
export type WorkspaceCommand = { type: 'Create' } & Opening;
export type Workspace = { readonly status: 'unknown' } | ({ readonly status: 'created' } & Opening);

/** A part of an organization that holds accounts. */
export const workspace: Decider<Workspace, WorkspaceCommand, WorkspaceEvent> = {
  initial: { status: 'unknown' },
  decide: ({ workspaceId, organizationId, name }, state) =>
    state.status === 'unknown' ? [{ type: 'WorkspaceCreated', data: { workspaceId, organizationId, name } }] : [],
  evolve: (_, event) => ({ status: 'created', ...event.data }),
};

export const workspaceStream: StreamType<Workspace, WorkspaceCommand, WorkspaceEvent> = {
  name: 'workspace',
  decider: workspace,
  events: { WorkspaceCreated: { version: 1, personal: ['name'] } },
};
