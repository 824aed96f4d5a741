import type { Refresh } from '@messaging-gateway/contracts';
import { markSessionRevoked } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { InputOf, RequestContext } from '@messaging-gateway/service';
import { aboutUser, clientOf } from '../client.ts';
import { revoking } from '../credential/revoking.ts';
import type { IdentityTools } from '../tools.ts';
import { sessionStream } from './session.ts';
import type { PresentedToken, TokenAnswer } from './tokens.ts';

type Input = InputOf<typeof Refresh>;

/**
 * Exchanges refresh tokens; each can be exchanged once, and one that comes again revokes its session. Requests with
 * the same token that are in flight together (two tabs) are no such repeat: in this process the later ones join the
 * first, and of two replicas the slower one, which saw the token current too, gives the same new refresh token. Nor is
 * a request that comes again with its Idempotency-Key: the token that it made bears its id.
 *
 * @see docs/decisions/0161-refresh-tokens-in-flight.md
 */
export function refreshing(tools: IdentityTools): (input: Input) => Promise<TokenAnswer> {
  const inFlight = new Map<string, Promise<TokenAnswer>>();
  return async ({ body, context }) => {
    const token = tools.tokens.readRefresh(body.refreshToken);
    if (token === undefined) throw new Refused('UNAUTHORIZED', 'The refresh token is not valid.');
    const first = inFlight.get(token.refreshId);
    if (first !== undefined) return first;
    const exchanged = exchange(tools, token, context).finally(() => inFlight.delete(token.refreshId));
    inFlight.set(token.refreshId, exchanged);
    return exchanged;
  };
}

async function exchange(tools: IdentityTools, token: PresentedToken, context: RequestContext): Promise<TokenAnswer> {
  const seen = await tools.store.load(sessionStream, token.sessionId);
  const next = tools.tokens.nextGrant(context.resourceId);
  // Or this very request has been carried out before, and its answer was lost.
  const wasCurrent =
    seen.state.status === 'active' && [token.refreshId, next.refreshId].includes(seen.state.grant.refreshId);
  const { sessionId, userId } = token;
  const command = {
    type: 'Refresh',
    refreshId: token.refreshId,
    wasCurrent,
    next,
    expiresAt: tools.tokens.sessionEnd(next),
    client: clientOf(context),
  } as const;
  const metadata = aboutUser(userId, token.organizationId, context);
  const refresh = () =>
    tools.store.handle(sessionStream, sessionId, command, { metadata, onAppended: context.appended });
  const mark = () => markSessionRevoked(tools.cache, sessionId);
  // A token that is not current ends its session; one that was may have been overtaken twice.
  const { state } = wasCurrent ? await refresh() : await revoking(tools, mark, refresh);
  if (state.status === 'active') return tools.tokens.pair(state, state.grant);
  if (wasCurrent) await revoking(tools, mark, async () => undefined);

  tools.log.warn('A used refresh token came again; its session is revoked', { sessionId, userId });
  throw new Refused('UNAUTHORIZED', 'The refresh token was used before; the session is revoked.');
}
