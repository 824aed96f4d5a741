import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, Jid, Timestamp, closed, oneOf, typingStates } from '../shapes.ts';
import { OutgoingContent } from '../content/index.ts';
import { ConnectionStatus } from '../events/sessions/connection.ts';
import { Restriction } from '../events/sessions/health.ts';

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
    'Refuses a stale lane epoch (`CONFLICT`) and a passed deadline. Every refusal of this operation (an error, not an outcome) means that nothing ' +
    'has left: PROFILE_NOT_CONNECTED, or any other code with `details.nothingLeft`. An acknowledged message is answered from the ' +
    'record for ever (72 hours at least); a refused one is tried again when `attempt` is higher than the one that was refused. While the account is ' +
    'restricted, a message is not sent unless `isKnownChat` is set: the outcome is `refused` with the code PROFILE_RESTRICTED and the restriction. ' +
    'A message with this outcome is sent again with the same `attempt`.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    messageId: Id,
    networkMessageId: Type.String(),
    laneEpoch: Type.Integer({ minimum: 0 }),
    attempt: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Counts the attempts that the network has refused. Default 1.' }),
    ),
    to: Jid,
    content: OutgoingContent,
    isKnownChat: Type.Optional(
      Type.Boolean({ description: 'Somebody has written to the profile in this chat. Absent: not checked' }),
    ),
    keep: Type.Optional(
      Type.Boolean({ description: 'The acknowledgement is written down before the answer, where that costs little.' }),
    ),
  }),
  answer: closed({
    outcome: DeliveryOutcome,
    handedOverAt: Timestamp,
    kept: Type.Optional(
      Type.Boolean({ description: 'The acknowledgement is written down: it is told again after a crash.' }),
    ),
    code: Type.Optional(Type.String({ description: 'Error code when refused, for example RECIPIENT_UNKNOWN' })),
    reason: Type.Optional(Type.String()),
    restriction: Type.Optional({ ...Restriction, description: 'With the code PROFILE_RESTRICTED' }),
  }),
  timeoutMs: 20_000,
});

export const SettleMessage = internal({
  name: 'SettleMessage',
  owner: 'sessions',
  means:
    'What is known about a message whose outcome was lost: `never-seen` means that nothing has left for that network id, and that ' +
    'nothing will for an older lane epoch. Refuses a stale lane epoch.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    networkMessageId: Type.String(),
    laneEpoch: Type.Integer({ minimum: 0 }),
  }),
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

export const SendTyping = internal({
  name: 'SendTyping',
  owner: 'sessions',
  means: 'Shows a chat that the profile is writing or recording, or no longer is. Passes no send gate.',
  body: closed({ organizationId: Id, profileId: Id, chat: Jid, state: oneOf(typingStates) }),
  answer: closed({}),
});

export const FetchOlderMessages = internal({
  name: 'FetchOlderMessages',
  owner: 'sessions',
  means:
    'Asks the phone for messages of a chat that are older than one that is known, and waits until they were handed over: ' +
    'they are told as `session.message`, as history. ENGINE_TIMEOUT when the phone does not answer.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    chat: Jid,
    oldest: closed({ networkMessageId: Type.String(), fromMe: Type.Boolean(), sentAt: Timestamp }),
    count: Type.Integer({ minimum: 1, maximum: 500 }),
  }),
  answer: closed({
    networkMessageIds: Type.Array(Type.String(), { description: 'What the phone handed over' }),
    hasMore: Type.Optional(
      Type.Boolean({ description: 'Whether the phone has still older ones. Absent: it did not say.' }),
    ),
  }),
  timeoutMs: 20_000,
});

export const QueryHealth = internal({
  name: 'QueryHealth',
  owner: 'sessions',
  means:
    'Asks the holder of a profile to query the network for restrictions and quotas of the account, at most once in 10 minutes, and to store the ' +
    'result. Between replicas of sessions only.',
  body: closed({ organizationId: Id, profileId: Id }),
  answer: closed({}),
  timeoutMs: 20_000,
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
    status: ConnectionStatus,
    statusReason: Type.Optional(Type.String({ description: 'Why, where something is wrong' })),
    phoneNumber: Type.Optional(Type.String()),
    handoverMinutes: Type.Optional(
      Type.Integer({ minimum: 0, description: 'See `Profile`; absent from earlier versions: 60' }),
    ),
    restriction: Type.Optional({ ...Restriction, description: 'Absent: the account is not restricted' }),
    strangersPerDay: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Strangers to whom the profile may write today. Absent: no limit' }),
    ),
  }),
});

export const OfferProfile = internal({
  name: 'OfferProfile',
  owner: 'sessions',
  means:
    'Asks a replica whether it would take a profile over from one that holds more. One that says yes expects it, and says no to ' +
    'others for ten seconds. Routed to the replica; between replicas of sessions only.',
  body: closed({ organizationId: Id, profileId: Id }),
  answer: closed({ isWelcome: Type.Boolean() }),
  timeoutMs: 3000,
});

export const SteerConnection = internal({
  name: 'SteerConnection',
  owner: 'sessions',
  means:
    'Asks the replica that holds a profile to connect, to disconnect (the link stays), to unlink, or to link by pairing code. ' +
    '`resume` asks any replica, or the one that it is routed to, to take over a profile from one that lets go of it. Between replicas of sessions only.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    action: oneOf(['connect', 'disconnect', 'unlink', 'pair', 'resume']),
    phoneNumber: Type.Optional(Type.String({ description: 'Digits; for `pair`' })),
    isWritten: Type.Optional(
      Type.Boolean({
        description:
          'What is wanted is written into the profile: the holder goes by what it finds there, since others may have written after the one who asks. ' +
          'Absent: the one who asks writes it afterwards',
      }),
    ),
  }),
  answer: closed({ status: ConnectionStatus, pairingCode: Type.Optional(Type.String()) }),
  timeoutMs: 40_000,
});
