import type { Permission } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Founded } from './founded.ts';
import { ownerRoleId, systemRole } from './system-roles.ts';

export type MemberEvent =
  | { type: 'MemberJoined'; data: { userId: string; roleId: string } }
  | { type: 'MemberRoleChanged'; data: { userId: string; roleId: string; previousRoleId: string } }
  | { type: 'MemberRemoved'; data: { userId: string; roleId: string } }
  /** The member has deleted the own account. */
  | { type: 'MemberLeft'; data: { userId: string; wholeOrganization: boolean } };

/** The one who asks, with the permissions that this one has, and so may give. */
export interface Granting {
  /** The user; of an API key its maker. */
  readonly by: string;
  readonly granting: readonly Permission[];
}

export type MemberCommand =
  | ({ type: 'AddMember'; userId: string; roleId: string } & Granting)
  | ({ type: 'ChangeMemberRole'; userId: string; roleId: string } & Granting)
  | ({ type: 'RemoveMember'; userId: string } & Granting)
  | { type: 'Leave'; userId: string }
  /**
   * Leaving, in a database that does not know of it any more: nothing can be refused. Of those who were Owners then,
   * who are here become Owners when nobody else is one.
   */
  | { type: 'LeaveAgain'; userId: string; wholeOrganization: boolean; owners?: readonly string[] }
  /** By an operator, where there is no Owner. */
  | { type: 'MakeOwner'; userId: string };

/** @throws Refused FORBIDDEN, NOT_FOUND, or CONFLICT where the last Owner would be lost */
export function decideMembers(command: MemberCommand, state: Founded): readonly MemberEvent[] {
  if (command.type === 'Leave') return leave(command.userId, state);
  if (command.type === 'LeaveAgain') return leaveAgain(command, state);
  if (command.type === 'MakeOwner') {
    if (ownersOf(state).length > 0) throw new Refused('CONFLICT', 'The organization has an Owner.');
    if (state.members[command.userId] === undefined) throw new Refused('NOT_FOUND', 'There is no such member.');
    return madeOwner(command.userId, state);
  }
  const { userId } = command;
  const previousRoleId = state.members[userId];
  if (command.type === 'AddMember') {
    if (previousRoleId !== undefined) return []; // the same request again
    assertGrants(command.granting, permissionsOf(command.roleId, state));
    return [{ type: 'MemberJoined', data: { userId, roleId: command.roleId } }];
  }
  if (previousRoleId === undefined) throw new Refused('NOT_FOUND', 'There is no such member.');
  if (command.type === 'RemoveMember') {
    assertOwnerStays(userId, state);
    assertOver(command.granting, permissionsOf(previousRoleId, state));
    return [{ type: 'MemberRemoved', data: { userId, roleId: previousRoleId } }];
  }
  const { roleId } = command;
  const given = permissionsOf(roleId, state);
  if (roleId !== ownerRoleId) assertOwnerStays(userId, state);
  assertGrants(command.granting, given);
  assertOver(command.granting, permissionsOf(previousRoleId, state));
  return roleId === previousRoleId ? [] : [{ type: 'MemberRoleChanged', data: { userId, roleId, previousRoleId } }];
}

/** The only member may always leave, and nobody is left then. */
function leave(userId: string, state: Founded): readonly MemberEvent[] {
  if (state.members[userId] === undefined) return []; // the same request again
  const wholeOrganization = Object.keys(state.members).length === 1;
  if (!wholeOrganization) assertOwnerStays(userId, state);
  return [{ type: 'MemberLeft', data: { userId, wholeOrganization } }];
}

function leaveAgain(
  { userId, wholeOrganization, owners = [] }: Extract<MemberCommand, { type: 'LeaveAgain' }>,
  state: Founded,
): readonly MemberEvent[] {
  if (state.members[userId] === undefined) return [];
  const left: MemberEvent = { type: 'MemberLeft', data: { userId, wholeOrganization } };
  if (ownersOf(state).some((owner) => owner !== userId)) return [left];
  return [left, ...owners.filter((owner) => owner !== userId).flatMap((owner) => madeOwner(owner, state))];
}

function madeOwner(userId: string, { members }: Founded): readonly MemberEvent[] {
  const previousRoleId = members[userId];
  if (previousRoleId === undefined) return [];
  return [{ type: 'MemberRoleChanged', data: { userId, roleId: ownerRoleId, previousRoleId } }];
}

/** User ids. */
export const ownersOf = ({ members }: Pick<Founded, 'members'>): string[] =>
  Object.keys(members).filter((id) => members[id] === ownerRoleId);

/** Permissions of a role. @throws Refused NOT_FOUND */
export function permissionsOf(roleId: string, { roles }: Founded): readonly Permission[] {
  const found = systemRole(roleId) ?? roles[roleId];
  if (found === undefined) throw new Refused('NOT_FOUND', 'There is no such role.');
  return found.permissions;
}

/**
 * The command with the permissions that its sender has at this moment: a request on its way while its sender was
 * removed or got another role gives no more than that.
 *
 * @throws Refused FORBIDDEN when the sender is no member any more
 */
export function grantedNow<C extends Granting>(command: C, state: Founded): C {
  const roleId = state.members[command.by];
  if (roleId === undefined) throw new Refused('FORBIDDEN', 'You are no member of the organization any more.');
  const present = permissionsOf(roleId, state);
  return { ...command, granting: command.granting.filter((permission) => present.includes(permission)) };
}

/** @throws Refused FORBIDDEN when something is given that the giver does not have */
export function assertGrants(granting: readonly Permission[], given: readonly Permission[]): void {
  const more = given.filter((permission) => !granting.includes(permission));
  if (more.length > 0)
    throw new Refused('FORBIDDEN', `Nobody grants more than the own permissions: ${more.join(', ')}.`);
}

/** @throws Refused FORBIDDEN when somebody has more than the one who asks */
export function assertOver(granting: readonly Permission[], held: readonly Permission[]): void {
  if (held.some((permission) => !granting.includes(permission)))
    throw new Refused('FORBIDDEN', 'Whoever has this role may do what you may not.');
}

function assertOwnerStays(userId: string, state: Founded): void {
  const owners = ownersOf(state);
  if (owners.length === 1 && owners[0] === userId)
    throw new Refused('CONFLICT', 'The last Owner of an organization stays its Owner.');
}
