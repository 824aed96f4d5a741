import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';
import { RefreshToken, TokenPair } from './shapes.ts';

export const Refresh = operation({
  name: 'RefreshTokens',
  owner: 'identity',
  method: 'POST',
  path: '/auth/refresh',
  access: 'public',
  tag: 'Auth',
  browserSession: 'renews',
  audit: { action: 'auth.refresh', resourceType: 'session' },
  summary: 'Exchange a refresh token',
  means:
    'Answers a new pair; the old refresh token is used up. Using one again revokes the session, for somebody else may hold it. ' +
    'Requests with the same token that are in flight at the same time (two tabs) are answered with the same new refresh token. ' +
    'A browser whose session is in cookies sends no body, and an Idempotency-Key, by which it asks again when no answer came.',
  body: closed({ refreshToken: RefreshToken }),
  answers: { 200: { body: TokenPair, means: 'The new pair.' } },
  errors: ['UNAUTHORIZED'],
  throttle: 'refresh',
  allowedInDemo: true,
  example: { refreshToken: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl' },
});
