import {
  type BinaryNode,
  generateMessageIDV2,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { ErrorCode } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { ParticipantAction, ParticipantOutcome } from '../../engine.ts';
import { groupOf, type KnownGroup } from './group-node.ts';

const anyGroup = '@g.us';
const node = (tag: string, attrs: BinaryNode['attrs'] = {}, content?: BinaryNode['content']): BinaryNode =>
  content === undefined ? { tag, attrs } : { tag, attrs, content };

/**
 * Asks the network about groups. The client library's own functions take a missing answer for success, and hide
 * who was refused when a group is made.
 *
 * @throws Refused
 */
async function ask(socket: WASocket, type: 'get' | 'set', to: string, asked: BinaryNode): Promise<BinaryNode> {
  const answer = (await socket.query(node('iq', { type, xmlns: 'w:g2', to }, [asked])).catch((error: unknown) => {
    throw refusalOf(error);
  })) as BinaryNode | undefined;
  if (answer === undefined) throw noAnswer();
  return answer;
}

function groupIn(answer: BinaryNode): BinaryNode {
  const group = getBinaryNodeChild(answer, 'group');
  if (group === undefined) throw noAnswer();
  return group;
}

export async function readGroup(socket: WASocket, id: string): Promise<KnownGroup> {
  return groupOf(groupIn(await ask(socket, 'get', id, node('query', { request: 'interactive' }))));
}

/** All groups that the profile is in, with their members. */
export async function readGroups(socket: WASocket): Promise<KnownGroup[]> {
  const asked = node('participating', {}, [node('participants'), node('description')]);
  const answer = await ask(socket, 'get', anyGroup, asked);
  const groups = getBinaryNodeChild(answer, 'groups');
  return groups === undefined ? [] : getBinaryNodeChildren(groups, 'group').map(groupOf);
}

/** @param addresses of the network */
export async function createGroup(
  socket: WASocket,
  name: string,
  addresses: readonly string[],
): Promise<{ group: KnownGroup; outcomes: readonly ParticipantOutcome[] }> {
  const people = addresses.map((jid) => node('participant', { jid }));
  const asked = node('create', { subject: name, key: generateMessageIDV2() }, people);
  const group = groupIn(await ask(socket, 'set', anyGroup, asked));
  return { group: groupOf(group), outcomes: outcomesIn(group, addresses) };
}

export async function changeMembers(
  socket: WASocket,
  id: string,
  action: ParticipantAction,
  addresses: readonly string[],
): Promise<readonly ParticipantOutcome[]> {
  const people = addresses.map((jid) => node('participant', { jid }));
  const answer = await ask(socket, 'set', id, node(action, {}, people));
  const done = getBinaryNodeChild(answer, action);
  if (done === undefined) throw noAnswer();
  return outcomesIn(done, addresses);
}

/** The answer names people by LID, by phone, or as they were asked. Of whom it says nothing the network knows nothing. */
function outcomesIn(answer: BinaryNode, addresses: readonly string[]): ParticipantOutcome[] {
  const told = new Map<string, number>();
  for (const { attrs } of getBinaryNodeChildren(answer, 'participant'))
    for (const name of [attrs['jid'], attrs['phone_number'], attrs['lid']])
      if (name !== undefined) told.set(name, Number(attrs['error'] ?? 200));
  return addresses.map((address) => ({
    person: address.replace(/@s\.whatsapp\.net$/, '@c.us'),
    status: told.get(address) ?? 404,
  }));
}

export async function renameGroup(socket: WASocket, id: string, name: string): Promise<void> {
  await ask(socket, 'set', id, node('subject', {}, Buffer.from(name)));
}

/** @param before id of the present description: the network refuses a change of another one */
export async function describeGroup(
  socket: WASocket,
  id: string,
  text: string,
  before: string | undefined,
): Promise<void> {
  const attrs: BinaryNode['attrs'] = text === '' ? { delete: 'true' } : { id: generateMessageIDV2() };
  const body = text === '' ? undefined : [node('body', {}, Buffer.from(text))];
  await ask(socket, 'set', id, node('description', { ...attrs, ...(before !== undefined && { prev: before }) }, body));
}

/** @param seconds 0: messages do not disappear */
export async function setGroupTimer(socket: WASocket, id: string, seconds: number): Promise<void> {
  const asked = seconds === 0 ? node('not_ephemeral') : node('ephemeral', { expiration: String(seconds) });
  await ask(socket, 'set', id, asked);
}

export async function leaveGroup(socket: WASocket, id: string): Promise<void> {
  await ask(socket, 'set', anyGroup, node('leave', {}, [node('group', { id })]));
}

export async function invitationOf(socket: WASocket, id: string, renew: boolean): Promise<string> {
  const answer = await ask(socket, renew ? 'set' : 'get', id, node('invite'));
  const code = getBinaryNodeChild(answer, 'invite')?.attrs['code'];
  if (code === undefined) throw noAnswer();
  return code;
}

/** Meanings of the network's error codes for whoever asks about a group or changes it. */
const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  '401': ['FORBIDDEN', 'Only admins of the group may do this.'],
  '403': ['FORBIDDEN', 'The profile is not in the group, or is no admin of it.'],
  '404': ['NOT_FOUND', 'There is no such group.'],
  '409': ['CONFLICT', 'The group has changed meanwhile.'],
  '410': ['NOT_FOUND', 'The group is there no more.'],
  '419': ['CONFLICT', 'The group is full.'],
  '429': ['RATE_LIMITED', 'The network wants this profile to do less with groups now.'],
};

/** An error of a question to the network, as callers hear it. Without a code of the network nobody knows whether it was done. */
function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const { data } = error as { data?: unknown };
  if (typeof data !== 'number')
    return new Refused('ENGINE_TIMEOUT', 'The connection ended before the network answered: it may have been done.');
  const [code, reason] = meanings[String(data)] ?? ['ENGINE_REFUSED', 'The network refused it.'];
  const headers = code === 'RATE_LIMITED' ? { 'Retry-After': '60' } : undefined;
  return new Refused(code, `${reason} (${data})`, undefined, headers);
}

const noAnswer = (): Refused =>
  new Refused('ENGINE_TIMEOUT', 'The network did not answer in time: it may have been done.');
