import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { apiKey, type ApiKeyCommand, type ApiKeyEvent } from './api-key.ts';

const given = specification(apiKey);
const apiKeyId = '0198c0de-0000-7000-8000-000000000001';
const creation = {
  apiKeyId,
  organizationId: '0198c0de-0000-7000-8000-000000000002',
  makerId: '0198c0de-0000-7000-8000-000000000003',
  name: 'Shop',
  scope: { permissions: ['message:send' as const] },
  fingerprint: { hash: 'aa', prefix: 'gw_first' },
  client: {},
};
const another = { hash: 'bb', prefix: 'gw_second' };
const create: ApiKeyCommand = { type: 'Create', ...creation };
const created: ApiKeyEvent = { type: 'ApiKeyCreated', data: creation };
const revoke: ApiKeyCommand = { type: 'Revoke', client: {} };
const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: { apiKeyId, client: {} } };

describe('an API key', () => {
  it('is created', () => given().when(create).then(created));
  it('is replaced when the same request comes again', () =>
    given(created)
      .when({ ...create, fingerprint: another })
      .then({ type: 'ApiKeyReissued', data: { apiKeyId, fingerprint: another } }));
  it('is not brought back by a repeated request', () => given(created, revoked).when(create).thenRefused('CONFLICT'));
  it('is revoked', () => given(created).when(revoke).then(revoked));
  it('is revoked only once', () => given(created, revoked).when(revoke).thenNothing());
  it('must exist to be revoked', () => given().when(revoke).thenRefused('NOT_FOUND'));
});
