import {
  getAllBinaryNodeChildren,
  getBinaryNodeChild,
  getBinaryNodeChildString,
  getBinaryNodeChildren,
  type BinaryNode,
} from '@whiskeysockets/baileys';
import type { DataOf, GroupParticipants, GroupUpdated, SessionGroupNamed } from '@messaging-gateway/contracts';
import type { Fact } from '../../engine.ts';
import { isSelf, person, type NetworkAddress } from '../wire-format/addresses.ts';
import { timerFact } from '../wire-format/chat-timers.ts';
import type { Receiver } from './incoming-facts.ts';
import { timestampOf } from '../wire-format/message-names.ts';
import { groupOf } from '../groups/group-node.ts';

type Updated = DataOf<typeof GroupUpdated>;
type Action = DataOf<typeof GroupParticipants>['action'];
type Which = Pick<Updated, 'id' | 'author' | 'at' | 'replayed'>;

const isSame = (one: NetworkAddress | undefined, other: NetworkAddress | undefined): boolean =>
  one !== undefined && (one.jid === other?.jid || (one.lid !== undefined && one.lid === other?.lid));
const actions: ReadonlySet<string> = new Set<Action>(['add', 'remove', 'promote', 'demote', 'leave']);
const settings: Readonly<Record<string, NonNullable<Updated['settings']>>> = {
  announcement: { onlyAdminsWrite: true },
  not_announcement: { onlyAdminsWrite: false },
  locked: { onlyAdminsEdit: true },
  unlocked: { onlyAdminsEdit: false },
  not_ephemeral: { disappearAfterSeconds: 0 },
};

/** Facts of a notification about a group: one change each, and nothing for kinds that are not known here. */
export async function groupFacts(stanza: BinaryNode, { self, state, data: { profileId } }: Receiver): Promise<Fact[]> {
  const { from: id = '', participant, participant_pn: phone, t, offline } = stanza.attrs;
  const author = participant === undefined ? undefined : await person(participant, phone, state);
  const replayed = offline !== undefined;
  const which: Which = { id, ...(author && { author }), at: timestampOf(t), ...(replayed && { replayed }) };
  const facts: Fact[] = [];
  for (const change of getAllBinaryNodeChildren(stanza)) {
    if (actions.has(change.tag)) facts.push(await participantsFact(which, change, state));
    const named = nameIn(change);
    if (named !== undefined) facts.push({ kind: 'group-named', data: { profileId, group: id, ...named } });
    const updated = updateIn(change);
    if (updated !== undefined) facts.push({ kind: 'group', data: { ...which, ...updated } });
    const seconds = updated?.settings?.disappearAfterSeconds;
    if (seconds !== undefined) {
      const timer = { seconds, at: Math.floor(Date.parse(which.at) / 1000) };
      const setting = { chat: { jid: id }, author, fromMe: isSelf(participant, self) };
      const fact = await timerFact(timer, setting, { profileId, state });
      if (fact !== undefined) facts.push(fact);
    }
  }
  return facts;
}

/** The fact of a change of participants: who removes only themselves has left. */
async function participantsFact(
  which: Which,
  { tag, attrs, content }: BinaryNode,
  state: Receiver['state'],
): Promise<Fact> {
  const people = await Promise.all(
    getBinaryNodeChildren({ tag, attrs, content }, 'participant').map((one) =>
      person(one.attrs['jid'] ?? '', one.attrs['phone_number'] ?? one.attrs['lid'], state),
    ),
  );
  const participants = people.filter((one): one is NetworkAddress => one !== undefined);
  const isByThemselves = participants.length === 1 && isSame(participants[0], which.author);
  const action = tag === 'remove' && isByThemselves ? 'leave' : (tag as Action);
  const byInvite = tag === 'add' && attrs['reason'] === 'invite';
  return { kind: 'participants', data: { ...which, action, participants, ...(byInvite && { byInvite }) } };
}

function nameIn(change: BinaryNode): Pick<DataOf<typeof SessionGroupNamed>, 'name' | 'since'> | undefined {
  if (change.tag === 'subject') return { name: change.attrs['subject'] ?? '', since: timestampOf(change.attrs['s_t']) };
  const group = change.tag === 'create' ? getBinaryNodeChild(change, 'group') : undefined;
  return group && { name: groupOf(group).name, since: timestampOf(groupOf(group).namedAt) };
}

function updateIn(change: BinaryNode): Omit<Updated, keyof Which> | undefined {
  const { tag, attrs } = change;
  switch (tag) {
    case 'create': {
      const group = getBinaryNodeChild(change, 'group');
      if (group === undefined) return undefined;
      const { name, description = '', members } = groupOf(group);
      return { change: 'joined', name, description, participantsCount: members.length };
    }
    case 'subject':
      return { change: 'name', name: attrs['subject'] ?? '' };
    case 'description':
      return { change: 'description', description: getBinaryNodeChildString(change, 'body') ?? '' };
    case 'invite':
      return { change: 'invite-link' };
    case 'ephemeral':
      return { change: 'settings', settings: { disappearAfterSeconds: Number(attrs['expiration'] ?? 0) } };
    default:
      return settings[tag] && { change: 'settings', settings: settings[tag] };
  }
}
