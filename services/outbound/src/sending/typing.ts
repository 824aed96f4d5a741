import { DescribeProfile, SendTyping, type BodyOf, type SetTyping } from '@messaging-gateway/contracts';
import {
  askHolder,
  assertProfileAllowed,
  profileNotConnected,
  type OperationInput,
  type ServiceTools,
} from '@messaging-gateway/service';
import { jidOf } from './drafts.ts';

type Typing = { readonly state: Parameters<typeof stateOf>[0] & string; readonly to: string };

const stateOf = (state: BodyOf<typeof SetTyping>['state']) => state ?? 'composing';

/** `POST /messages/typing`: told at once or not at all, so it goes past the lane. */
export function setTyping({ ask }: Pick<ServiceTools<unknown>, 'ask'>) {
  return async ({ body, caller, context }: OperationInput<BodyOf<typeof SetTyping>>): Promise<Typing> => {
    const { profileId } = body;
    const { organizationId } = caller;
    assertProfileAllowed(caller, profileId);
    const to = jidOf(body.to, 'body.to');
    const state = stateOf(body.state);
    const { requestId, traceparent, deadline } = context;
    const asking = { requestId, traceparent, deadline };
    const profile = await ask(DescribeProfile, { organizationId, profileId }, asking);
    if (profile.status !== 'connected') throw profileNotConnected(profile);
    await askHolder({ ask }, SendTyping, { organizationId, profileId, chat: to, state }, asking);
    return { state, to };
  };
}
