import type { BodyOf, Refresh } from '@messaging-gateway/contracts';
import { markSessionRevoked } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';
import { aboutUser, clientOf } from '../client.ts';
import type { IdentityTools } from '../tools.ts';
import { sessionStream } from './session.ts';
import type { TokenAnswer } from './tokens.ts';

/**
 * Exchanges a refresh token. Whether it was current is read before the exchange, so that of two requests in flight
 * the slower one, which saw it current too, gets the same new token, while one that comes later revokes the session.
 *
 * @see docs/decisions/0161-refresh-tokens-in-flight.md
 */
export async function refreshTokens(
  tools: IdentityTools,
  input: OperationInput<BodyOf<typeof Refresh>>,
): Promise<TokenAnswer> {
  const { context } = input;
  const token = tools.tokens.readRefresh(input.body.refreshToken);
  if (token === undefined) throw new Refused('UNAUTHORIZED', 'The refresh token is not valid.');

  const seen = await tools.store.load(sessionStream, token.sessionId);
  const wasCurrent = seen.state.status === 'active' && seen.state.grant.refreshId === token.refreshId;
  const next = tools.tokens.nextGrant();
  const { state } = await tools.store.handle(
    sessionStream,
    token.sessionId,
    {
      type: 'Refresh',
      refreshId: token.refreshId,
      wasCurrent,
      next,
      expiresAt: tools.tokens.sessionEnd(next),
      client: clientOf(context),
    },
    { metadata: aboutUser(token.userId, token.organizationId, context), onAppended: context.appended },
  );
  if (state.status === 'active') return tools.tokens.pair(state, state.grant);

  await markSessionRevoked(tools.cache, token.sessionId);
  tools.log.warn('A used refresh token came again; its session is revoked', {
    sessionId: token.sessionId,
    userId: token.userId,
  });
  throw new Refused('UNAUTHORIZED', 'The refresh token was used before; the session is revoked.');
}
