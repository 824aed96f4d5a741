import { Type } from 'typebox';
import { internal } from '../contract.ts';
import { Id, closed, nullable } from '../shapes.ts';

export const ResolvedCredential = closed({
  organizationId: Id,
  userId: Id,
  sessionId: Type.Optional(Id),
  apiKeyId: Type.Optional(Id),
  permissions: Type.Array(Type.String()),
  profileIds: Type.Optional(Type.Array(Id)),
  allowedCidrs: Type.Optional(Type.Array(Type.String())),
  limitedPermissions: Type.Optional(Type.Boolean({ description: 'An API key that may not do all that its maker may' })),
  expiresAt: Type.Optional(Type.String()),
  mustChangePassword: Type.Optional(Type.Boolean()),
});

export const ResolveCredential = internal({
  name: 'ResolveCredential',
  owner: 'identity',
  means:
    'Who a session or an API key is, with the permissions of this moment. `credential` is null when it is unknown, revoked or expired. ' +
    'The gateway has checked the signature of an access token before it asks.',
  body: Type.Union([
    closed({ kind: Type.Literal('session'), sessionId: Id, userId: Id, organizationId: Id }),
    closed({ kind: Type.Literal('api-key'), hash: Type.String({ description: 'SHA-256 of the key, hex' }) }),
  ]),
  answer: closed({ credential: nullable(ResolvedCredential) }),
});

export const ReadCredentialGeneration = internal({
  name: 'ReadCredentialGeneration',
  owner: 'identity',
  means:
    'The generation of cached credentials, asked for all the time by each gateway. Another one means that everything that was cached ' +
    'before must be asked for again: identity could not mark a revocation in the cache.',
  body: closed({}),
  answer: closed({ generation: Id }),
  timeoutMs: 2000,
});
