import type { BinaryNode } from '@whiskeysockets/baileys';
import { bytesOf, children, contentBytes, node } from '../connection/nodes.ts';
import {
  administratorOf,
  changeDescription,
  changeSubject,
  changeTimer,
  memberOf,
  revokeInvite,
} from '../groups/changing.ts';
import { groupNode, outcomeNode } from '../groups/group-nodes.ts';
import {
  byInvite,
  changeMembers,
  createGroup,
  join,
  leave,
  MEMBER_ACTIONS,
  type MemberAction,
} from '../groups/membership.ts';
import { GroupRefusal, REFUSED } from '../groups/refusals.ts';
import type { Network } from '../network.ts';
import type { Person } from '../people/person.ts';
import type { Query } from './answer.ts';

/** A question about a group; `asked` is the question's own node. */
type Question = { network: Network; asker: Person; to: string | undefined; asked: BinaryNode };
type GroupQuery = (question: Question) => BinaryNode[];

const groupOf = ({ network, asker, to }: Question) => memberOf(network.groups.find(to), asker);
const ownGroupOf = ({ network, asker, to }: Question, code?: number) =>
  administratorOf(network.groups.find(to), asker, code);
const jidsIn = (asked: BinaryNode) => children(asked, 'participant').map(({ attrs }) => attrs['jid'] ?? '');

const create: GroupQuery = ({ network, asker, asked }) => {
  const { group, outcomes } = createGroup(network, asker, asked.attrs['subject'] ?? '', jidsIn(asked));
  const refused = outcomes.filter(({ person }) => person === undefined || !group.members.has(person));
  return [groupNode(group, refused)];
};

const participating: GroupQuery = ({ network, asker }) => [
  node(
    'groups',
    {},
    network.groups.of(asker).map((group) => groupNode(group)),
  ),
];

const leaving: GroupQuery = ({ network, asker, asked }) => {
  const ids = children(asked, 'group').map(({ attrs }) => attrs['id']);
  for (const id of ids) leave(memberOf(network.groups.find(id), asker), asker);
  return [
    node(
      'leave',
      {},
      ids.map((id) => node('group', { id })),
    ),
  ];
};

const subject: GroupQuery = (question) => {
  changeSubject(groupOf(question), question.asker, contentBytes(question.asked).toString());
  return [];
};

/** `seconds` 0: messages do not disappear. */
const ephemeral =
  (isOn: boolean): GroupQuery =>
  (question) => {
    const seconds = isOn ? Number(question.asked.attrs['expiration'] ?? 0) : 0;
    changeTimer(ownGroupOf(question), question.asker, seconds);
    return [];
  };

const description: GroupQuery = (question) => {
  const { asker, asked } = question;
  const group = groupOf(question);
  if (asked.attrs['prev'] !== group.description?.id)
    throw new GroupRefusal(REFUSED.conflict, 'The description has changed meanwhile.');
  changeDescription(group, asker, bytesOf(asked, 'body').toString(), asked.attrs['id']);
  return [];
};

/** With a code: what it leads to. Without: the group's own code. */
const invite: GroupQuery = (question) => {
  const { code } = question.asked.attrs;
  if (code !== undefined) return [groupNode(byInvite(question.network, code))];
  return [node('invite', { code: ownGroupOf(question, REFUSED.unauthorized).inviteCode })];
};

/** With a code: comes in. Without: makes the present code worthless. */
const setInvite: GroupQuery = (question) => {
  const { network, asker, asked } = question;
  const { code } = asked.attrs;
  if (code === undefined) {
    const group = ownGroupOf(question, REFUSED.unauthorized);
    revokeInvite(group, asker);
    return [node('invite', { code: group.inviteCode })];
  }
  const group = byInvite(network, code);
  join(group, asker);
  return [node('group', { jid: group.id })];
};

/** Comes in by an invitation of one's own. */
const accept: GroupQuery = ({ network, asker, to, asked }) => {
  const group = network.groups.find(to);
  if (group === undefined || group.invitations.get(asker) !== asked.attrs['code'])
    throw new GroupRefusal(REFUSED.gone, 'There is no such invitation.');
  join(group, asker);
  return [node('group', { jid: group.id })];
};

function members(action: MemberAction): GroupQuery {
  return (question) => {
    const { network, asker, asked } = question;
    return [
      node(action, {}, changeMembers(network, ownGroupOf(question), asker, action, jidsIn(asked)).map(outcomeNode)),
    ];
  };
}

function row(query: GroupQuery): Query {
  return (network, device, question) => {
    const [asked] = children(question);
    if (asked === undefined) return { error: REFUSED.notAcceptable };
    try {
      return query({ network, asker: device.owner, to: question.attrs['to'], asked });
    } catch (error) {
      if (error instanceof GroupRefusal) return { error: error.code };
      throw error;
    }
  };
}

/** Questions of clients about groups, and their changes. */
export const groupQueries: Record<string, Query> = {
  'w:g2 get query': row((question) => [groupNode(groupOf(question))]),
  'w:g2 get participating': row(participating),
  'w:g2 get invite': row(invite),
  'w:g2 set create': row(create),
  'w:g2 set leave': row(leaving),
  'w:g2 set subject': row(subject),
  'w:g2 set description': row(description),
  'w:g2 set invite': row(setInvite),
  'w:g2 set ephemeral': row(ephemeral(true)),
  'w:g2 set not_ephemeral': row(ephemeral(false)),
  'w:g2 set accept': row(accept),
  ...Object.fromEntries(MEMBER_ACTIONS.map((action) => [`w:g2 set ${action}`, row(members(action))])),
};
