import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { OutgoingContent } from '../content/index.ts';
import { sendRoutes, type SendableType } from '../operations/outbound/typed-message.ts';
import { QueuedResult, SendResult } from '../operations/outbound/send-result.ts';
import { Restriction } from '../events/sessions/health.ts';
import { Count, Failure, Id, Jid, Origin, Timestamp, closed, nullable, oneOf } from '../shapes.ts';

/** The send gate's settings and counters of a profile. */
export const SendingState = closed({
  profileId: Id,
  messageDelayMs: Count,
  dailyMessageLimit: nullable(Count),
  dailyMessageCount: Count,
  dailyResetAt: Timestamp,
  strangersToday: Type.Optional(Count),
  unknownNumbersToday: Type.Optional(Count),
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

export const AcceptMessage = internal({
  name: 'AcceptMessage',
  owner: 'outbound',
  means:
    'Accepts a message of another service under an id of its own making, whichever mode the installation is in: it is queued, and ' +
    'waits for its turn and its connection. The same id again is answered with the state of the message that it stands for, ' +
    'whatever else the request says. Refused with the code and the details that the send route of its type answers; paths begin ' +
    'with `content` or `to`. While the account of the profile is restricted, a message of a broadcast to a person who has never written ' +
    'is refused with PROFILE_RESTRICTED; other messages wait for the end of the restriction.',
  body: closed({
    messageId: Id,
    organizationId: Id,
    profileId: Id,
    to: Type.String({ description: 'A JID, or the digits of a number' }),
    type: oneOf(Object.keys(sendRoutes) as SendableType[]),
    content: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Fields of the send route of that type; `base64` holds a key of the media store',
    }),
    origin: oneOf(['broadcast', 'automation', 'api']),
    actor: Type.String({ description: 'On whose behalf: `user:…`, `api_key:…` or `service:…`' }),
    templateId: Type.Optional(Id),
    attempts: Type.Integer({ minimum: 1, maximum: 11, description: 'In all' }),
    expiresAt: Type.Optional(Timestamp),
  }),
  answer: closed({
    status: oneOf(['queued', 'unknown', 'sent', 'failed'], { description: 'A receipt makes it no more than `sent`' }),
    attempts: Count,
    error: Type.Optional(Failure),
    at: Type.Optional(Timestamp),
  }),
  timeoutMs: 30_000,
});

export const SendThroughLane = internal({
  name: 'SendThroughLane',
  owner: 'outbound',
  means:
    'Accepts a message, or meets the one that its id stands for, where its lane is, and answers what the client is told. Routed to ' +
    'the replica that owns the lane; between replicas of outbound only. `SERVICE_UNAVAILABLE` with `details.moved`: the lane is ' +
    'owned elsewhere now, and the request is to be repeated there.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    messageId: Id,
    repeated: Type.Boolean({ description: 'The id may stand for a message already.' }),
    actor: Type.String({ description: '`user:…` or `api_key:…`' }),
    to: Jid,
    content: OutgoingContent,
    quotedMessageId: Type.Optional(Id),
    origin: Origin,
    templateId: Type.Optional(Id),
    isCode: Type.Optional(Type.Literal(true, { description: 'A one-time code' })),
    mode: Type.Optional(oneOf(['synchronous', 'durable'], { description: 'Default: that of the installation' })),
  }),
  answer: closed({ sent: Type.Optional(SendResult), queued: Type.Optional(QueuedResult) }),
  timeoutMs: 90_000,
});

export const TellLane = internal({
  name: 'TellLane',
  owner: 'outbound',
  means:
    "Tells the owner of a lane that something about it changed elsewhere: it reads the lane's row anew before it answers, and looks " +
    'for messages that it does not know. Routed; between replicas of outbound only. `SERVICE_UNAVAILABLE` with `details.moved` as above.',
  body: closed({
    organizationId: Id,
    profileId: Id,
    connection: Type.Optional(
      closed({
        isConnected: Type.Boolean(),
        sequence: Type.String({ description: 'That of the event which told it' }),
      }),
    ),
    settledMessageId: Type.Optional(Id),
    restriction: Type.Optional({ ...nullable(Restriction), description: 'Of the account; null: it ended' }),
  }),
  answer: closed({}),
  timeoutMs: 3000,
});
