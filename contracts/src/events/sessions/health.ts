import { Type } from 'typebox';
import { event } from '../../contract.ts';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

/** A restriction of an account: until it ends, the account cannot write to people who have never written to it. */
export const Restriction = closed(
  {
    type: Type.String({
      description:
        'Type as the network names it, for example `BIZ_QUALITY`. `DEFAULT`: the network refused a message and named no type',
    }),
    since: Timestamp,
    until: nullable({ ...Timestamp, description: 'Time of the end; 24 h after `since` if the network named none' }),
  },
  { title: 'Restriction' },
);

export const newChatStatuses = ['none', 'first_warning', 'second_warning', 'capped'] as const;

/** The number of new chats that the network allows an account in a cycle. */
export const NewChats = closed(
  {
    status: oneOf(newChatStatuses, { title: 'NewChatsStatus' }),
    used: Count,
    quota: Count,
    cycleStart: nullable(Timestamp),
    cycleEnd: nullable(Timestamp),
  },
  { title: 'NewChats' },
);

export const ProfileHealth = event({
  type: 'profile.health',
  version: 1,
  owner: 'sessions',
  visibility: 'public',
  means:
    'The network restricted the account of a profile, lifted the restriction, or changed its quota of new chats. The data contains ' +
    'the field that changed; `restriction` is null when a restriction ended.',
  data: closed({
    id: Id,
    restriction: Type.Optional({
      ...nullable(Restriction),
      description: 'With `type`, `since` and `until`. Null: the account is not restricted any more',
    }),
    newChats: Type.Optional({
      ...NewChats,
      description: 'New chats that the network allows in a cycle: `status`, `used`, `quota`, `cycleStart`, `cycleEnd`',
    }),
  }),
  example: {
    id: '0198c0de-0000-7000-8000-000000000001',
    restriction: { type: 'BIZ_QUALITY', since: '2026-01-01T10:00:00.000Z', until: '2026-01-02T10:00:00.000Z' },
  },
});
