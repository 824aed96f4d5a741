import { node, nowSeconds } from '../connection/nodes.ts';
import type { Network } from '../network.ts';
import type { Person } from '../people/person.ts';
import { validSubject } from './changing.ts';
import { announce, groupNode, participantNodes, type Outcome } from './group-nodes.ts';
import { Group } from './group.ts';
import { GroupRefusal, REFUSED } from './refusals.ts';

export const MEMBER_ACTIONS = ['add', 'remove', 'promote', 'demote'] as const;
export type MemberAction = (typeof MEMBER_ACTIONS)[number];

const SUCCESS = 200;

/** @param jids whom to have in it besides its creator; each is let in or refused by itself */
export function createGroup(
  network: Network,
  creator: Person,
  subject: string,
  jids: string[],
): { group: Group; outcomes: Outcome[] } {
  const group = new Group(creator, validSubject(subject), nowSeconds());
  network.groups.add(group);
  const outcomes = jids.map((jid) => admit(network, group, jid));
  announce(group, creator, node('create', { type: 'new' }, [groupNode(group)]), group.members.keys());
  return { group, outcomes };
}

/** An administrator changes who is in the group, and as what. */
export function changeMembers(
  network: Network,
  group: Group,
  by: Person,
  action: MemberAction,
  jids: string[],
): Outcome[] {
  const before = [...group.members.keys()];
  const outcomes = jids.map((jid) => change(network, group, action, jid));
  const changed = outcomes.flatMap(({ person, status }) => (status === SUCCESS && person ? [person] : []));
  if (changed.length === 0) return outcomes;
  announce(group, by, node(action, {}, participantNodes(changed)), before);
  if (action === 'add') welcome(group, by, changed);
  if (action === 'remove') renewKeys(group);
  return outcomes;
}

export function leave(group: Group, person: Person): void {
  const audience = [...group.members.keys()];
  group.members.delete(person);
  announce(group, person, node('remove', {}, participantNodes([person])), audience);
  renewKeys(group);
}

/** @throws GroupRefusal when the code leads nowhere (any more) */
export function byInvite(network: Network, code: string): Group {
  const group = network.groups.byCode(code);
  if (group === undefined) throw new GroupRefusal(REFUSED.notAcceptable, 'No group has this invitation.');
  if (group.wasRevoked(code)) throw new GroupRefusal(REFUSED.gone, 'The invitation was revoked.');
  return group;
}

/** Joins a person by a link or a personal invitation; a member stays one. */
export function join(group: Group, person: Person): void {
  if (group.members.has(person)) return;
  const before = [...group.members.keys()];
  letIn(group, person);
  announce(group, person, node('add', { reason: 'invite' }, participantNodes([person])), before);
  welcome(group, person, [person], 'invite');
}

function change(network: Network, group: Group, action: MemberAction, jid: string): Outcome {
  if (action === 'add') return admit(network, group, jid);
  const person = network.directory.find(jid);
  if (person === undefined || !group.members.has(person)) return { person, jid, status: REFUSED.unknown };
  if (person === group.creator && action !== 'promote') return { person, jid, status: REFUSED.notAcceptable };
  if (action === 'remove') group.members.delete(person);
  else if (person !== group.creator) group.members.set(person, action === 'promote' ? 'admin' : 'member');
  return { person, jid, status: SUCCESS };
}

function admit(network: Network, group: Group, jid: string): Outcome {
  const person = network.directory.find(jid);
  if (person === undefined) return { person, jid, status: REFUSED.unknown };
  if (group.members.has(person)) return { person, jid, status: REFUSED.conflict };
  const { refuseGroups } = person.behaviour;
  if (refuseGroups === REFUSED.forbidden)
    return { person, jid, status: refuseGroups, invitation: group.invite(person) };
  if (refuseGroups !== 0) return { person, jid, status: refuseGroups };
  letIn(group, person);
  return { person, jid, status: SUCCESS };
}

function letIn(group: Group, person: Person): void {
  group.invitations.delete(person);
  group.members.set(person, 'member');
}

/** Tells new members the whole group. */
function welcome(group: Group, by: Person, people: Person[], reason?: string): void {
  announce(group, by, node('create', { reason }, [groupNode(group)]), people);
}

/** Renews the keys of who stays, so that who is gone cannot read on. */
function renewKeys(group: Group): void {
  for (const person of group.members.keys()) person.senderKeys.forget(group.id);
}
