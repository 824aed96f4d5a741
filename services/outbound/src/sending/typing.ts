import { DescribeProfile, SendTyping, type AnswerOf, type BodyOf, type SetTyping } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { assertProfileAllowed, type OperationInput, type ServiceTools } from '@messaging-gateway/service';
import { jidOf } from '../composing/recipients.ts';

type Typing = { readonly state: Parameters<typeof stateOf>[0] & string; readonly to: string };

const stateOf = (state: BodyOf<typeof SetTyping>['state']) => state ?? 'composing';

/** `POST /messages/typing`: told at once or not at all, so it goes past the lane (api-decisions §4, what counts). */
export function setTyping({ ask }: Pick<ServiceTools<unknown>, 'ask'>) {
  return async ({ body, caller, context }: OperationInput<BodyOf<typeof SetTyping>>): Promise<Typing> => {
    const { profileId } = body;
    const { organizationId } = caller;
    assertProfileAllowed(caller, profileId);
    const to = jidOf(body.to, 'body.to');
    const state = stateOf(body.state);
    const { requestId, traceparent, deadline } = context;
    const asking = { requestId, traceparent, deadline };
    const { status } = await ask(DescribeProfile, { organizationId, profileId }, asking);
    if (status !== 'connected') throw notConnected();
    await tell(
      ask(SendTyping, { organizationId, profileId, chat: to, state }, { ...asking, route: profileId, holdMs: 0 }),
    );
    return { state, to };
  };
}

/** Nobody holds the profile: it has lost its connection meanwhile. */
async function tell(telling: Promise<AnswerOf<typeof SendTyping>>): Promise<void> {
  try {
    await telling;
  } catch (error) {
    const isUnseen = error instanceof Refused && (error.details as { unseen?: unknown } | undefined)?.unseen === true;
    throw isUnseen ? notConnected() : error;
  }
}

const notConnected = (): Refused => new Refused('PROFILE_NOT_CONNECTED', 'The profile is not connected.');
