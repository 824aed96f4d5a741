import type { GroupDetail, ParticipantResult } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import type { EngineGroup, ParticipantAction, ParticipantOutcome } from '../engine/groups.ts';

/** A group in the words of the contract; names of people are not the network's to tell. */
export const answeredGroup = ({
  id,
  name,
  description = '',
  owner = '',
  createdAt,
  members,
}: EngineGroup): Static<typeof GroupDetail> => ({
  id,
  name,
  description,
  owner,
  createdAt: new Date(createdAt).toISOString(),
  participantsCount: members.length,
  participants: members.map(({ jid, phone = '', isAdmin, isSuperAdmin }) => ({
    id: jid,
    phone,
    pushName: '',
    isAdmin,
    isSuperAdmin,
  })),
});

const whyNotAdded: Readonly<Record<number, string>> = {
  403: 'Lets nobody add them to groups: send the invite link instead.',
  404: 'Is not on the network.',
  408: 'Has left the group lately.',
  409: 'Is in the group already.',
};
const whyNotChanged: Readonly<Record<number, string>> = {
  404: 'Is not in the group.',
  406: 'The network does not allow this for this person: nobody can remove or demote whoever made the group.',
};

/** What became of each, in the words of the contract. */
export const answeredResults = (
  outcomes: readonly ParticipantOutcome[],
  action: ParticipantAction,
): Static<typeof ParticipantResult>[] =>
  outcomes.map(({ person, status }) => {
    const phone = person.replace(/@c\.us$/, '');
    if (status === 200) return { phone, status };
    const reasons = action === 'add' ? whyNotAdded : whyNotChanged;
    return { phone, status, message: reasons[status] ?? `The network refused it (${status}).` };
  });
