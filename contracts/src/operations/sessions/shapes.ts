import { Type } from 'typebox';
import { ConnectionStatus } from '../../events/sessions/connection.ts';
import { NewChats, Restriction } from '../../events/sessions/health.ts';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

export const ResourceName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Shown to people',
});
export const EngineKind = oneOf(['web-js-engine', 'socket-engine'], {
  title: 'EngineKind',
  description: 'The kind of engine that holds the session',
});
export const MessageDelay = Type.Integer({
  minimum: 0,
  maximum: 86_400_000,
  description: 'Least time between two sends, milliseconds',
});
export const HandoverMinutes = Type.Integer({
  minimum: 0,
  maximum: 10_080,
  description:
    'How long nothing automatic answers in a chat after the owner has written there on the phone; 0: it answers all the same',
});
export const DailyLimit = nullable(
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Messages a day; null: no limit' }),
);

export const StrangerLimit = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'People who have never written to the profile, and to whom it may write on a day; null: no limit',
  }),
);
export const Warmup = nullable(
  closed(
    {
      days: Type.Integer({ minimum: 1, maximum: 60, description: 'Duration, counted from the first link' }),
      from: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Strangers on the first day' }),
      to: Type.Integer({ minimum: 1, maximum: 10_000, description: 'Strangers on the last day' }),
    },
    {
      title: 'Warmup',
      description: 'A limit for strangers that grows linearly; the smaller one of this and `strangerDailyLimit` applies',
    },
  ),
);
export const NumberChecksPerDay = nullable(
  Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'Phone numbers that the network is asked about on a day; null: no limit. Default 1000',
  }),
);

/** A folder for profiles. */
export const Account = closed(
  {
    id: Id,
    workspaceId: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Account' },
);

/** Why a connection stands where it does, and what is to be done. */
export const StatusReason = oneOf(
  [
    'RESTARTED',
    'CONNECTION_LOST',
    'CONNECTION_REPLACED',
    'SESSION_DATA_UNAVAILABLE',
    'NOT_SCANNED',
    'NO_ROOM',
    'LOGGED_OUT',
    'PASSKEY_REQUIRED',
    'CLIENT_VERSION_REFUSED',
    'ACCOUNT_REFUSED',
  ],
  {
    title: 'StatusReason',
    description:
      'Why. By itself come back: RESTARTED, CONNECTION_LOST, CONNECTION_REPLACED (another client logged in as this device), SESSION_DATA_UNAVAILABLE. ' +
      'To be connected again: NOT_SCANNED (nobody scanned in time), NO_ROOM (a linked profile needed the place), LOGGED_OUT (unlinked on the phone; scan anew). ' +
      'PASSKEY_REQUIRED: the phone demands a passkey before it links, which only the web client of the network itself can show; ' +
      'turn it off for linked devices on the phone if it offers that, or use another number. ' +
      'For the operator: CLIENT_VERSION_REFUSED (raise SOCKET_ENGINE_CLIENT_VERSION). ACCOUNT_REFUSED: the network refuses the account.',
  },
);

/** One linked number. Four of the fields before the times come from the send gate, which outbound keeps. */
export const Profile = closed(
  {
    id: Id,
    accountId: Id,
    workspaceId: Id,
    name: Type.String(),
    phoneNumber: nullable(Type.String({ description: 'Digits, once linked' })),
    pushName: nullable(Type.String()),
    status: ConnectionStatus,
    statusReason: nullable(StatusReason),
    engine: EngineKind,
    messageDelayMs: Count,
    dailyMessageLimit: nullable(Count),
    dailyMessageCount: Count,
    dailyResetAt: Timestamp,
    handoverMinutes: HandoverMinutes,
    restriction: Type.Optional({ ...nullable(Restriction), description: 'Null: the account is not restricted' }),
    strangerDailyLimit: Type.Optional(StrangerLimit),
    warmup: Type.Optional(Warmup),
    numberChecksPerDay: Type.Optional(NumberChecksPerDay),
    lastConnectedAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Profile' },
);

/** Where the connection of a profile stands. */
export const ProfileStatus = closed(
  {
    id: Id,
    status: ConnectionStatus,
    statusReason: nullable(StatusReason),
    statusDetail: Type.Optional(
      Type.String({
        description:
          'With CONNECTION_LOST, where it is known: what the last try met. A code of the system (ECONNREFUSED, ENOTFOUND), of TLS (CERT_HAS_EXPIRED), ' +
          'of HTTP (HTTP_503), or TIMEOUT, NO_ANSWER, CONNECTION_CLOSED',
      }),
    ),
    phoneNumber: nullable(Type.String()),
    pushName: nullable(Type.String()),
    engine: EngineKind,
    since: Timestamp,
    lastConnectedAt: nullable(Timestamp),
  },
  { title: 'ProfileStatus' },
);

/** What the network allows the account of a profile, and what the profile has sent today. */
export const ProfileHealthState = closed(
  {
    checkedAt: nullable({ ...Timestamp, description: 'Time at which the network last reported; null: never' }),
    restriction: nullable(Restriction),
    newChats: { ...nullable(NewChats), description: 'Null: the network has not reported it' },
    today: closed(
      {
        sent: { ...Count, description: 'Messages sent on the day of the daily limit' },
        strangers: { ...Count, description: 'People among the receivers who had never written' },
        refused: { ...Count, description: 'Messages that the network refused because of a restriction' },
        unknownNumbers: { ...Count, description: 'Messages to numbers that are not on the network' },
        numberChecks: { ...Count, description: 'Phone numbers that the network was asked about' },
      },
      { title: 'ProfileHealthToday' },
    ),
    limits: closed(
      {
        daily: nullable(Count),
        strangers: { ...nullable(Count), description: 'The smaller one of `strangerDailyLimit` and the warm-up' },
        numberChecks: nullable(Count),
      },
      { title: 'ProfileHealthLimits' },
    ),
    warmup: {
      ...nullable(
        closed(
          {
            day: { ...Count, description: 'Today, from 1' },
            days: Count,
            strangers: { ...Count, description: 'Limit of today' },
          },
          { title: 'ProfileHealthWarmup' },
        ),
      ),
      description: 'Null: none, not linked yet, or over',
    },
  },
  { title: 'ProfileHealthState' },
);

/** Answer of connect. */
export const ConnectResult = closed(
  {
    status: ConnectionStatus,
    pairingCode: Type.Optional(Type.String({ description: 'Typed into the phone under "Link with phone number"' })),
  },
  { title: 'ConnectResult' },
);

/** Answer of disconnect. */
export const DisconnectResult = closed({ status: ConnectionStatus }, { title: 'DisconnectResult' });

/** The current QR code. */
export const QrCode = closed(
  {
    qr: Type.String({ description: 'The raw text' }),
    qrCode: Type.String({ description: 'The same as an image: a PNG data URL' }),
    expiresAt: Timestamp,
  },
  { title: 'QrCode' },
);

export const Wait = Type.Integer({
  minimum: 0,
  maximum: 60,
  default: 0,
  description: 'How long the answer may wait, seconds',
});
export const waitQuery = closed({ wait: Type.Optional(Wait) });
export const idParams = closed({ id: Id });
export const accountParams = closed({ accountId: Id });
export const accountProfileParams = closed({ accountId: Id, profileId: Id });
