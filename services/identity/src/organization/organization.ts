import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Founded, Founding } from './founded.ts';
import { decideMembers, grantedNow, type MemberCommand, type MemberEvent } from './member-rules.ts';
import { decideRoles, type RoleCommand, type RoleEvent } from './role-rules.ts';
import { ownerRoleId } from './system-roles.ts';

export type OrganizationEvent =
  | { type: 'OrganizationFounded'; data: Founding }
  | { type: 'OrganizationRenamed'; data: { organizationId: string; name: string } }
  | MemberEvent
  | RoleEvent;
export type OrganizationCommand =
  | ({ type: 'Found' } & Founding)
  | { type: 'Rename'; name: string }
  | MemberCommand
  | RoleCommand;
export type Organization = { readonly status: 'unknown' } | Founded;

function decide(command: OrganizationCommand, state: Organization): readonly OrganizationEvent[] {
  if (command.type === 'Found') {
    const { organizationId, ownerId, name } = command;
    return state.status === 'unknown' ? [{ type: 'OrganizationFounded', data: { organizationId, ownerId, name } }] : [];
  }
  if (state.status === 'unknown') {
    if (command.type === 'LeaveAgain') return []; // the backup came between the registration and its organization
    throw new Refused('NOT_FOUND', 'There is no such organization.');
  }
  switch (command.type) {
    case 'Rename':
      return command.name === state.name
        ? []
        : [{ type: 'OrganizationRenamed', data: { organizationId: state.organizationId, name: command.name } }];
    case 'AddMember':
    case 'ChangeMemberRole':
    case 'RemoveMember':
      return decideMembers(grantedNow(command, state), state);
    case 'Leave':
    case 'LeaveAgain':
    case 'MakeOwner':
      return decideMembers(command, state);
    case 'CreateRole':
    case 'ChangeRole':
      return decideRoles(grantedNow(command, state), state);
    case 'DeleteRole':
      return decideRoles(command, state);
  }
}

function evolve(state: Organization, event: OrganizationEvent): Organization {
  if (event.type === 'OrganizationFounded') {
    return { status: 'founded', ...event.data, members: { [event.data.ownerId]: ownerRoleId }, roles: {} };
  }
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'OrganizationRenamed':
      return { ...state, name: event.data.name };
    case 'MemberJoined':
    case 'MemberRoleChanged':
      return { ...state, members: { ...state.members, [event.data.userId]: event.data.roleId } };
    case 'MemberRemoved':
    case 'MemberLeft':
      return { ...state, members: without(state.members, event.data.userId) };
    case 'RoleCreated':
    case 'RoleChanged': {
      const { roleId, ...role } = event.data;
      return { ...state, roles: { ...state.roles, [roleId]: role } };
    }
    case 'RoleDeleted':
      return { ...state, roles: without(state.roles, event.data.roleId) };
  }
}

const without = <T>(entries: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(entries).filter(([other]) => other !== key));

/** A tenant. */
export const organization: Decider<Organization, OrganizationCommand, OrganizationEvent> = {
  initial: { status: 'unknown' },
  decide,
  evolve,
};

export const organizationStream: StreamType<Organization, OrganizationCommand, OrganizationEvent> = {
  name: 'organization',
  decider: organization,
  events: {
    OrganizationFounded: { version: 1, personal: ['name'] },
    OrganizationRenamed: { version: 1, personal: ['name'] },
    MemberJoined: { version: 1 },
    MemberRoleChanged: { version: 1 },
    MemberRemoved: { version: 1 },
    MemberLeft: { version: 1 },
    RoleCreated: { version: 1, personal: ['name', 'description'] },
    RoleChanged: { version: 1, personal: ['name', 'description'] },
    RoleDeleted: { version: 1 },
  },
  snapshotEvery: 100,
};
