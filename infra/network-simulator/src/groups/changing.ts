import { randomBytes } from 'node:crypto';
import { node, nowSeconds } from '../connection/nodes.ts';
import type { Person } from '../people/person.ts';
import { announce, descriptionNode, timerNode } from './group-nodes.ts';
import type { Group } from './group.ts';
import { GroupRefusal, REFUSED } from './refusals.ts';

const LONGEST_SUBJECT = 100;

/** @throws GroupRefusal when the person is no member */
export function memberOf(group: Group | undefined, person: Person): Group {
  if (group === undefined) throw new GroupRefusal(REFUSED.unknown, 'There is no such group.');
  if (!group.members.has(person)) throw new GroupRefusal(REFUSED.forbidden, 'Not a member of the group.');
  return group;
}

/** @throws GroupRefusal when the person is no administrator */
export function administratorOf(group: Group | undefined, person: Person, code: number = REFUSED.forbidden): Group {
  const known = memberOf(group, person);
  if (!known.isAdministrator(person)) throw new GroupRefusal(code, 'Not an administrator of the group.');
  return known;
}

/** @throws GroupRefusal when it is empty or longer than a hundred characters */
export function validSubject(subject: string): string {
  if (typeof subject !== 'string' || subject === '' || subject.length > LONGEST_SUBJECT)
    throw new GroupRefusal(REFUSED.notAcceptable, 'A subject has 1 to 100 characters.');
  return subject;
}

export function changeSubject(group: Group, by: Person, subject: string): void {
  group.subject = { text: validSubject(subject), by, at: nowSeconds() };
  const { text, at } = group.subject;
  announce(group, by, node('subject', { subject: text, s_t: at, s_o: by.jid('lid') }), group.members.keys());
}

/** An empty text takes the description away. */
export function changeDescription(group: Group, by: Person, text: string, id = newId()): void {
  group.description = text === '' ? undefined : { text, id, by, at: nowSeconds() };
  announce(group, by, descriptionNode(group), group.members.keys());
}

/** @param seconds after which messages of the group disappear; 0: never */
export function changeTimer(group: Group, by: Person, seconds: number): void {
  group.disappearAfter = seconds;
  announce(group, by, timerNode(group), group.members.keys());
}

export function revokeInvite(group: Group, by: Person): void {
  group.revokeInvite();
  announce(group, by, node('invite', { code: group.inviteCode }), group.members.keys());
}

function newId(): string {
  return randomBytes(8).toString('hex').toUpperCase();
}
