import { Type } from 'typebox';
import { ConnectionStatus } from '../../events/sessions/connection.ts';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

export const ResourceName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Shown to people',
});
export const EngineKind = oneOf(['web-js-engine', 'socket-engine'], {
  description: 'The kind of engine that holds the session',
});
export const MessageDelay = Type.Integer({
  minimum: 0,
  maximum: 86_400_000,
  description: 'Least time between two sends, milliseconds',
});
export const DailyLimit = nullable(
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Messages a day; null: no limit' }),
);

/** A folder for profiles. */
export const Account = closed({
  id: Id,
  workspaceId: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** One linked number. The last four fields before the times come from the send gate (specification §2). */
export const Profile = closed({
  id: Id,
  accountId: Id,
  workspaceId: Id,
  name: Type.String(),
  phoneNumber: nullable(Type.String({ description: 'Digits, once linked' })),
  pushName: nullable(Type.String()),
  status: ConnectionStatus,
  engine: EngineKind,
  messageDelayMs: Count,
  dailyMessageLimit: nullable(Count),
  dailyMessageCount: Count,
  dailyResetAt: Timestamp,
  lastConnectedAt: nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** Where the connection of a profile stands. */
export const ProfileStatus = closed({
  id: Id,
  status: ConnectionStatus,
  statusReason: nullable(
    Type.String({ description: 'Why, as a word, for example LOGGED_OUT or CLIENT_VERSION_REFUSED' }),
  ),
  phoneNumber: nullable(Type.String()),
  pushName: nullable(Type.String()),
  engine: EngineKind,
  since: Timestamp,
  lastConnectedAt: nullable(Timestamp),
});

/** Answer of connect. */
export const ConnectResult = closed({
  status: ConnectionStatus,
  pairingCode: Type.Optional(Type.String({ description: 'Typed into the phone under "Link with phone number"' })),
});

/** Answer of disconnect. */
export const DisconnectResult = closed({ status: ConnectionStatus });

/** The current QR code. */
export const QrCode = closed({
  qr: Type.String({ description: 'The raw text' }),
  qrCode: Type.String({ description: 'The same as an image: a PNG data URL' }),
  expiresAt: Timestamp,
});

export const idParams = closed({ id: Id });
export const accountParams = closed({ accountId: Id });
export const accountProfileParams = closed({ accountId: Id, profileId: Id });
