import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Count, Id, Timestamp, closed, nullable } from '../shapes.ts';

/** The send gate's settings and counters of a profile (specification §2). */
export const SendingState = closed({
  profileId: Id,
  messageDelayMs: Count,
  dailyMessageLimit: nullable(Count),
  dailyMessageCount: Count,
  dailyResetAt: Timestamp,
});

export const ApplySendingPolicy = internal({
  name: 'ApplySendingPolicy',
  owner: 'outbound',
  means:
    'Sets delay and daily limit of a profile; `PUT /profiles/:id` and profile creation answer after this. Makes the lane when absent.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    messageDelayMs: Type.Optional(Count),
    dailyMessageLimit: Type.Optional(nullable(Count)),
  }),
  answer: SendingState,
});

export const ReadSendingStates = internal({
  name: 'ReadSendingStates',
  owner: 'outbound',
  means: 'Counters of some profiles, for the profile answers of sessions. Unknown profiles are left out.',
  body: closed({ organizationId: Id, profileIds: Type.Array(Id, { maxItems: 200 }) }),
  answer: closed({ items: Type.Array(SendingState) }),
});
