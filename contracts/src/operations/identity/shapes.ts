import { Type } from 'typebox';
import { permissions } from '../../permissions.ts';
import { Count, Id, Timestamp, closed, nullable, oneOf } from '../../shapes.ts';

/** Address of a person; compared without regard to case. */
export const EmailAddress = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'E-mail address, compared without regard to case',
});
/** A password that is chosen. */
export const NewPassword = Type.String({ minLength: 12, maxLength: 128, description: '12–128 characters' });
/** A password that is asked for: any length that could ever have been one. */
export const GivenPassword = Type.String({ minLength: 1, maxLength: 128 });
export const RefreshToken = Type.String({ minLength: 1, maxLength: 4096 });
export const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
export const PermissionWord = oneOf(permissions, { title: 'Permission' });

/** A person, as the person sees it. */
export const CurrentUser = closed(
  {
    id: Id,
    email: Type.String(),
    name: Type.String(),
    role: Type.String({ description: 'Name of the role, for example `Owner`' }),
    organizationId: Id,
    permissions: Type.Array(PermissionWord, { description: 'What this credential allows' }),
    twoFactorEnabled: Type.Boolean(),
    backupCodesRemaining: Count,
    createdAt: Timestamp,
  },
  { title: 'CurrentUser' },
);

/** Fields of the answers of register, login and refresh. */
const tokenFields = {
  accessToken: Type.String({ description: 'JWS compact, HS256; empty when it went into a cookie' }),
  refreshToken: Type.String({ description: 'JWS compact, HS256; usable once; empty when it went into a cookie' }),
  expiresIn: Type.Integer({ minimum: 1, description: 'Seconds until the access token expires' }),
};
export const TokenPair = closed(tokenFields, { title: 'TokenPair' });
export const SignedIn = closed(
  {
    ...tokenFields,
    user: CurrentUser,
    mustChangePassword: Type.Optional(
      Type.Boolean({
        description: 'The password is a temporary one: until it is changed most routes answer 403',
      }),
    ),
  },
  { title: 'SignedIn' },
);
/** The password was right; a code is needed too. */
export const TwoFactorChallenge = closed(
  {
    requires2FA: Type.Literal(true),
    challengeToken: Type.String({ description: 'For POST /auth/2fa/verify, within 5 minutes' }),
  },
  { title: 'TwoFactorChallenge' },
);
export const GivenCode = Type.String({
  minLength: 6,
  maxLength: 32,
  description: 'Six digits of an authenticator app, or a backup code',
});
export const BackupCodes = Type.Array(Type.String(), { description: 'Each replaces a code once' });

/** One session of a person. */
export const UserSession = closed(
  {
    id: Id,
    current: Type.Boolean({ description: 'The session of this very request' }),
    ipAddress: nullable(Type.String()),
    userAgent: nullable(Type.String()),
    createdAt: Timestamp,
    lastActiveAt: Timestamp,
    expiresAt: Timestamp,
  },
  { title: 'UserSession' },
);

const apiKeyFields = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'First characters of the key' }),
  permissions: nullable(Type.Array(PermissionWord, { description: 'null: all of its maker' })),
  profileIds: nullable(Type.Array(Id, { description: 'null: every profile' })),
  allowedCidrs: nullable(Type.Array(Type.String(), { description: 'null: from everywhere' })),
  createdBy: Id,
  expiresAt: nullable(Timestamp),
  createdAt: Timestamp,
};
/** An API key as it is listed: never the key itself. */
export const ApiKey = closed({ ...apiKeyFields, lastUsedAt: nullable(Timestamp) }, { title: 'ApiKey' });
/** An API key with the key, shown once. */
export const CreatedApiKey = closed(
  {
    ...apiKeyFields,
    lastUsedAt: nullable(Timestamp),
    key: Type.String({ description: '`gw_` and 43 characters, shown once' }),
  },
  { title: 'CreatedApiKey' },
);
