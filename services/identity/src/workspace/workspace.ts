import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';

interface Opening {
  readonly workspaceId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description?: string;
}
export type WorkspaceEvent =
  | { type: 'WorkspaceCreated'; data: Opening }
  | { type: 'WorkspaceChanged'; data: Pick<Opening, 'workspaceId' | 'name' | 'description'> }
  | { type: 'WorkspaceDeleted'; data: { workspaceId: string } };
export type WorkspaceCommand =
  | ({ type: 'Create' } & Opening)
  /** `description` null removes it. */
  | { type: 'Change'; name?: string; description?: string | null }
  | { type: 'Delete' };
export type Workspace = { readonly status: 'unknown' } | ({ readonly status: 'created' | 'deleted' } & Opening);

function decide(command: WorkspaceCommand, state: Workspace): readonly WorkspaceEvent[] {
  if (command.type === 'Create') {
    const { type: _, ...opening } = command;
    return state.status === 'unknown' ? [{ type: 'WorkspaceCreated', data: opening }] : [];
  }
  if (state.status !== 'created') {
    if (command.type === 'Delete' && state.status === 'deleted') return [];
    throw new Refused('NOT_FOUND', 'There is no such workspace.');
  }
  const { workspaceId } = state;
  if (command.type === 'Delete') return [{ type: 'WorkspaceDeleted', data: { workspaceId } }];
  const name = command.name ?? state.name;
  const description = command.description === undefined ? state.description : (command.description ?? undefined);
  return name === state.name && description === state.description
    ? []
    : [{ type: 'WorkspaceChanged', data: { workspaceId, name, ...(description !== undefined && { description }) } }];
}

function evolve(state: Workspace, event: WorkspaceEvent): Workspace {
  switch (event.type) {
    case 'WorkspaceCreated':
      return { status: 'created', ...event.data };
    case 'WorkspaceChanged': {
      if (state.status === 'unknown') return state;
      const { status, workspaceId, organizationId } = state;
      return { status, organizationId, ...event.data, workspaceId };
    }
    case 'WorkspaceDeleted':
      return state.status === 'unknown' ? state : { ...state, status: 'deleted' };
  }
}

/** A part of an organization that holds accounts. */
export const workspace: Decider<Workspace, WorkspaceCommand, WorkspaceEvent> = {
  initial: { status: 'unknown' },
  decide,
  evolve,
};

export const workspaceStream: StreamType<Workspace, WorkspaceCommand, WorkspaceEvent> = {
  name: 'workspace',
  decider: workspace,
  events: {
    WorkspaceCreated: { version: 1, personal: ['name', 'description'] },
    WorkspaceChanged: { version: 1, personal: ['name', 'description'] },
    WorkspaceDeleted: { version: 1 },
  },
};
