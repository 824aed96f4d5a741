import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { Id, closed } from '../../shapes.ts';
import { CreatedApiKey, Name, PermissionWord } from './shapes.ts';

export const CreateApiKey = operation({
  name: 'CreateApiKey',
  owner: 'identity',
  method: 'POST',
  path: '/api-keys',
  access: 'apikey:create',
  tag: 'API keys',
  summary: 'Create key',
  means:
    'Makes a key that acts for its maker. Without `permissions` it has all of the maker, otherwise those named; it never exceeds the ' +
    "maker's permissions, also when they shrink later. A key made with a key is bounded by it in every respect and is revoked with it.",
  body: closed({
    name: Name,
    permissions: Type.Optional(Type.Array(PermissionWord, { minItems: 1, uniqueItems: true })),
    profileIds: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 1000, uniqueItems: true, description: 'Absent: every profile' }),
    ),
    allowedCidrs: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Addresses or blocks, for example `192.0.2.0/24`. Absent: from everywhere',
      }),
    ),
    expiresInDays: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 3650, description: 'May have a fraction. Absent: never' }),
    ),
  }),
  answers: { 201: { body: CreatedApiKey, means: 'The key, shown this once.' } },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  example: { name: 'Shop', permissions: ['message:send'], expiresInDays: 90 },
});
