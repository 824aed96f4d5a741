import { Type } from 'typebox';
import { Count, Id, Jid, Timestamp, closed } from '../../../shapes.ts';
import { textFormats } from '../../../text-formats.ts';

/** `<digits>-<digits>@g.us`, or the newer form without a dash. */
export const GroupId = Type.String({
  pattern: textFormats.group.pattern,
  description: 'Full JID of a group, `<digits>@g.us` or `<digits>-<digits>@g.us`',
});

/** The most members that the network lets into a group, the one who makes it included. */
const mostMembers = 1024;

export const GroupName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });
export const GroupDescription = Type.String({ maxLength: 2048, description: 'Empty: none' });
const Person = Type.String({
  title: 'Person',
  minLength: 1,
  maxLength: 64,
  format: 'person',
  description: 'Phone (digits), or the JID of a person',
});
export const GroupPeople = Type.Array(Person, { minItems: 1, maxItems: mostMembers - 1 });
export const NewGroupPeople = Type.Array(Person, { maxItems: mostMembers - 1 });

const GroupParticipant = closed(
  {
    id: { ...Jid, description: '`<digits>@c.us`; `<id>@lid` of somebody whose phone the network does not tell' },
    phone: Type.String({ description: 'Digits; empty when the network does not tell' }),
    pushName: Type.String({ description: 'The name that the person goes by, as far as it is known here; else empty' }),
    isAdmin: Type.Boolean(),
    isSuperAdmin: Type.Boolean({ description: 'Made the group: nobody can remove or demote them' }),
  },
  { title: 'GroupParticipant' },
);

const fields = {
  id: GroupId,
  name: Type.String(),
  description: Type.String({ description: 'Empty when there is none' }),
  owner: Type.String({ description: 'JID of whoever made it; empty when the network does not tell' }),
  createdAt: Timestamp,
  participantsCount: Count,
};

/** A group as lists show it. */
export const Group = closed(fields, { title: 'Group' });

/** A group with its members. */
export const GroupDetail = closed({ ...fields, participants: Type.Array(GroupParticipant) }, { title: 'GroupDetail' });

/** The outcome for one person in a change of members. */
export const ParticipantResult = closed(
  {
    phone: Type.String({ description: 'As asked: digits, or the JID that was given' }),
    status: Type.Integer({
      description:
        "The network's code: 200 done; 403 lets nobody add them (send the invite link instead); 404 not on the network, or no member; " +
        '406 not possible for this person, such as the one who made the group; 408 has left the group lately; 409 is a member already',
    }),
    message: Type.Optional(Type.String({ description: 'Why not, when it was refused' })),
  },
  { title: 'ParticipantResult' },
);

export const groupParams = closed({ groupId: GroupId });
export const groupQuery = closed({ profileId: Id });

export const groupErrors = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'PROFILE_NOT_CONNECTED',
  'ENGINE_UNSUPPORTED',
  'ENGINE_REFUSED',
  'ENGINE_TIMEOUT',
] as const;

const group = {
  id: '120363012345678901@g.us',
  name: 'Choir',
  description: 'Rehearsal on Tuesdays',
  owner: '4915112345678@c.us',
  createdAt: '2026-01-01T00:00:00.000Z',
  participantsCount: 2,
};
const participants = [
  { id: '4915112345678@c.us', phone: '4915112345678', pushName: 'Sales', isAdmin: true, isSuperAdmin: true },
  { id: '4915112345679@c.us', phone: '4915112345679', pushName: 'Ada', isAdmin: false, isSuperAdmin: false },
];
export const groupExamples = {
  profileId: '0198c0de-0000-7000-8000-000000000001',
  group,
  detail: { ...group, participants },
  results: [
    { phone: '4915112345679', status: 200 },
    { phone: '4915112345670', status: 403, message: 'Lets nobody add them to groups: send the invite link instead.' },
  ],
};
