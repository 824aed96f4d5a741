import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { session, type SessionCommand, type SessionEvent } from './session.ts';

const given = specification(session);
const sessionId = '0198c0de-0000-7000-8000-000000000001';
const client = { ipAddress: '192.0.2.1' };
const grant = (refreshId: string) => ({
  refreshId,
  issuedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-31T00:00:00.000Z',
});
const expiresAt = '2026-01-31T00:00:00.000Z';

const start = {
  sessionId,
  userId: '0198c0de-0000-7000-8000-000000000002',
  organizationId: '0198c0de-0000-7000-8000-000000000003',
  by: 'login' as const,
  grant: grant('first'),
  expiresAt,
  client,
};
const started: SessionEvent = { type: 'SessionStarted', data: start };
const refreshed = (refreshId: string): SessionEvent => ({
  type: 'SessionRefreshed',
  data: { sessionId, grant: grant(refreshId), expiresAt },
});
const ended = (reason: 'logout' | 'refresh-token-reused'): SessionEvent => ({
  type: 'SessionEnded',
  data: { sessionId, reason, client },
});
const refresh = (refreshId: string, wasCurrent = true): SessionCommand => ({
  type: 'Refresh',
  refreshId,
  wasCurrent,
  next: grant('next'),
  expiresAt,
  client,
});

describe('a session', () => {
  it('starts', () =>
    given()
      .when({ type: 'Start', ...start })
      .then(started));
  it('starts only once', () =>
    given(started)
      .when({ type: 'Start', ...start })
      .thenNothing());
  it('gives a new refresh token for the current one', () =>
    given(started).when(refresh('first')).then(refreshed('next')));
  it('ends when a used refresh token comes again', () =>
    given(started, refreshed('second')).when(refresh('first', false)).then(ended('refresh-token-reused')));
  it('leaves two requests in flight with the same token alone', () =>
    given(started, refreshed('second')).when(refresh('first', true)).thenNothing());
  it('ends when an older token than the last used one comes, in flight or not', () =>
    given(started, refreshed('second'), refreshed('third'))
      .when(refresh('first', true))
      .then(ended('refresh-token-reused')));
  it('ends at logout', () => given(started).when({ type: 'End', reason: 'logout', client }).then(ended('logout')));
  it('ends only once', () =>
    given(started, ended('logout')).when({ type: 'End', reason: 'logout', client }).thenNothing());
  it('is not refreshed after its end', () =>
    given(started, ended('logout')).when(refresh('first')).thenRefused('UNAUTHORIZED'));
  it('is not refreshed when nobody started it', () => given().when(refresh('first')).thenRefused('UNAUTHORIZED'));
});
