import { changeDescription, changeSubject, memberOf, administratorOf, revokeInvite } from '../groups/changing.ts';
import type { Outcome } from '../groups/group-nodes.ts';
import type { Group } from '../groups/group.ts';
import { byInvite, changeMembers, createGroup, join, leave, MEMBER_ACTIONS } from '../groups/membership.ts';
import { GroupRefusal } from '../groups/refusals.ts';
import type { Network } from '../network.ts';
import type { Person } from '../people/person.ts';
import type { GroupFact, MemberOutcome, SimulatorControl } from './contract.ts';
import { personOf } from './people.ts';
import { Refusal } from './refusal.ts';

type GroupVerbs = Pick<SimulatorControl, 'createGroup' | 'group' | 'changeGroup' | 'joinGroup'>;

/** Verbs of people on groups. */
export function groupVerbs(network: Network): GroupVerbs {
  const person = (phone: string) => personOf(network, phone);
  const jidOf = (phone: string) => person(phone).jid('phone');
  return {
    createGroup: async ({ owner, subject, participants, description }) =>
      refusable(() => {
        if (!Array.isArray(participants))
          throw new Refusal('PARTICIPANTS_MISSING', 'A group needs participants, by number; there may be none.');
        const { group, outcomes } = createGroup(network, person(owner), subject, participants.map(jidOf));
        if (description !== undefined) changeDescription(group, person(owner), description);
        return { ...groupFact(group), results: outcomes.map(outcomeFact) };
      }),
    group: async (id) => groupFact(groupOf(network, id)),
    changeGroup: async (id, { by, ...change }) =>
      refusable(() => {
        const actor = person(by);
        const group = memberOf(groupOf(network, id), actor);
        const results = MEMBER_ACTIONS.flatMap((action) => {
          const phones = change[action];
          if (phones === undefined) return [];
          return changeMembers(network, administratorOf(group, actor), actor, action, phones.map(jidOf));
        });
        if (change.subject !== undefined) changeSubject(group, actor, change.subject);
        if (change.description !== undefined) changeDescription(group, actor, change.description);
        if (change.revokeInvite === true) revokeInvite(administratorOf(group, actor), actor);
        if (change.leave === true) leave(group, actor);
        return { ...groupFact(group), results: results.map(outcomeFact) };
      }),
    joinGroup: async (contact, code) =>
      refusable(() => {
        const group = byInvite(network, code);
        join(group, person(contact));
        return groupFact(group);
      }),
  };
}

/** @throws Refusal when there is no such group */
export function groupOf(network: Network, id: string): Group {
  const group = network.groups.find(id);
  if (group === undefined) throw new Refusal('GROUP_UNKNOWN', `There is no group ${id}.`);
  return group;
}

function groupFact({ id, subject, description, inviteCode, members }: Group): GroupFact {
  return {
    id,
    subject: subject.text,
    description: description?.text,
    inviteCode,
    members: [...members].map(([{ phone }, rank]) => ({ phone, rank })),
  };
}

function outcomeFact({ person, jid, status }: Outcome): MemberOutcome {
  return { phone: phoneOf(person, jid), status };
}

function phoneOf(person: Person | undefined, jid: string): string {
  return person?.phone ?? jid.replace(/@.*/, '');
}

function refusable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof GroupRefusal) throw new Refusal(`GROUP_${error.code}`, error.message);
    throw error;
  }
}
