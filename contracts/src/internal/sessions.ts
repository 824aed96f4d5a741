import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, Jid, Timestamp, closed, oneOf } from '../shapes.ts';
import { OutgoingContent } from '../content.ts';

/** Outcome of handing a message to the network. */
export const DeliveryOutcome = oneOf(['acknowledged', 'refused', 'handed-over'], {
  description:
    'acknowledged: the network took it. refused: the network said no, with `code`. handed-over: it may have left, no answer came.',
});

export const DeliverMessage = internal({
  name: 'DeliverMessage',
  owner: 'sessions',
  means:
    'Hands one message to the network and waits for its acknowledgement. One run per network id at a time: repeats join it, ' +
    'settled ones are answered from the record, a message that may have left is sent again under the same network id. ' +
    'Refuses a stale lane epoch and a passed deadline. PROFILE_NOT_CONNECTED means that nothing has left.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    messageId: Id,
    networkMessageId: Type.String(),
    laneEpoch: Type.Integer({ minimum: 0 }),
    to: Jid,
    content: OutgoingContent,
  }),
  answer: closed({
    outcome: DeliveryOutcome,
    handedOverAt: Timestamp,
    code: Type.Optional(Type.String({ description: 'Error code when refused, for example RECIPIENT_UNKNOWN' })),
    reason: Type.Optional(Type.String()),
  }),
  timeoutMs: 20_000,
});

export const SettleMessage = internal({
  name: 'SettleMessage',
  owner: 'sessions',
  means: 'What is known about a message whose outcome was lost: `never-seen` means that nothing has left for that network id.',
  body: closed({ organizationId: Id, profileId: Id, networkMessageId: Type.String() }),
  answer: closed({
    state: oneOf(['never-seen', 'handed-over', 'acknowledged', 'refused']),
    handedOverAt: Type.Optional(Timestamp),
    code: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
  }),
});

export const SendReadReceipts = internal({
  name: 'SendReadReceipts',
  owner: 'sessions',
  means: 'Marks messages of a chat as read on the network.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    chat: Jid,
    messages: Type.Array(closed({ networkMessageId: Type.String(), author: Type.Optional(Jid) })),
  }),
  answer: closed({}),
});

export const EnsureDefaultAccount = internal({
  name: 'EnsureDefaultAccount',
  owner: 'sessions',
  means: 'Makes the account "Default" of a new organization unless it is there.',
  body: closed({ organizationId: Id, workspaceId: Id }),
  answer: closed({ accountId: Id }),
});

export const DescribeProfile = internal({
  name: 'DescribeProfile',
  owner: 'sessions',
  means: 'Where a profile stands. NOT_FOUND when the organization has no such profile.',
  body: closed({ organizationId: Id, profileId: Id }),
  answer: closed({
    profileId: Id,
    status: oneOf(['disconnected', 'connecting', 'awaiting_scan', 'connected', 'reconnecting', 'logged_out', 'failed']),
    phoneNumber: Type.Optional(Type.String()),
  }),
});
