import { randomBytes } from 'node:crypto';
import type { BinaryNode } from '@whiskeysockets/baileys';
import { node, nowSeconds } from '../connection/nodes.ts';
import type { Person } from '../people/person.ts';
import type { Group } from './group.ts';

/** The outcome for one person in a change of members; 200 is success. `jid`: as asked, where nobody has that address. */
export type Outcome = { person: Person | undefined; jid: string; status: number; invitation?: string };

const SUCCESS = 200;
const INVITATION_SECONDS = 3 * 24 * 60 * 60;

/** The group as members see it. @param refused those whom the network would not let in, listed as such at creation */
export function groupNode(group: Group, refused: Outcome[] = []): BinaryNode {
  const { subject, creator, createdAt, members } = group;
  const attributes = {
    id: group.id.replace('@g.us', ''),
    addressing_mode: 'lid',
    subject: subject.text,
    s_o: subject.by.jid('lid'),
    s_o_pn: subject.by.jid('phone'),
    s_t: subject.at,
    creation: createdAt,
    creator: creator.jid('lid'),
    creator_pn: creator.jid('phone'),
    size: String(members.size),
  };
  const listed = [...members].map(([person, rank]) =>
    node('participant', { ...addressesOf(person), type: rank === 'member' ? undefined : rank }),
  );
  const timer = group.disappearAfter === 0 ? [] : [timerNode(group)];
  return node('group', attributes, [...listed, ...refused.map(outcomeNode), ...descriptionNodes(group), ...timer]);
}

export function outcomeNode({ person, jid, status, invitation }: Outcome): BinaryNode {
  const addresses = person === undefined ? { jid } : addressesOf(person);
  const attributes = { ...addresses, error: status === SUCCESS ? undefined : String(status) };
  if (invitation === undefined) return node('participant', attributes);
  const expiration = String(Number(nowSeconds()) + INVITATION_SECONDS);
  return node('participant', attributes, [node('add_request', { code: invitation, expiration })]);
}

export function participantNodes(people: Person[]): BinaryNode[] {
  return people.map((person) => node('participant', addressesOf(person)));
}

/** Tells people's linked devices what somebody changed. */
export function announce(group: Group, actor: Person, change: BinaryNode, audience: Iterable<Person>): void {
  for (const person of audience) {
    for (const device of person.devices.values()) {
      const attributes = {
        from: group.id,
        type: 'w:gp2',
        id: randomBytes(8).toString('hex').toUpperCase(),
        participant: actor.jid('lid'),
        participant_pn: actor.jid('phone'),
        notify: actor.pushName,
        t: nowSeconds(),
      };
      device.deliver(node('notification', attributes, [change]));
    }
  }
}

export function descriptionNode(group: Group): BinaryNode {
  const { description } = group;
  if (description === undefined) return node('description', { delete: 'true' });
  const { id, text, by, at } = description;
  const attributes = { id, participant: by.jid('lid'), participant_pn: by.jid('phone'), t: at };
  return node('description', attributes, [node('body', {}, Buffer.from(text))]);
}

export const timerNode = ({ disappearAfter }: Group): BinaryNode =>
  disappearAfter === 0 ? node('not_ephemeral', {}) : node('ephemeral', { expiration: String(disappearAfter) });

function descriptionNodes(group: Group): BinaryNode[] {
  return group.description === undefined ? [] : [descriptionNode(group)];
}

function addressesOf(person: Person): { jid: string; phone_number: string } {
  return { jid: person.jid('lid'), phone_number: person.jid('phone') };
}
