import {
  FindMessage,
  type AnswerOf,
  type Caller,
  type MessageTargetOf,
  type QuotedMessageOf,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { RequestContext, ServiceTools } from '@messaging-gateway/service';

type Found = AnswerOf<typeof FindMessage>;
type Asking = Pick<RequestContext, 'requestId' | 'traceparent' | 'deadline'>;
type Find<T> = (messageId: string, profileId: string, caller: Caller, context: Asking) => Promise<T>;

/** Messages that others speak of. They are the inbox's: it is asked, once per send. All throw Refused NOT_FOUND. */
export interface Targets {
  /** A message of the profile. */
  readonly find: Find<Found>;
  /** The same as the network names a quoted one. */
  readonly quote: Find<QuotedMessageOf>;
}

export function targetsFrom({ ask }: Pick<ServiceTools<unknown>, 'ask'>): Targets {
  const find: Targets['find'] = async (messageId, profileId, { organizationId }, context) => {
    const { requestId, traceparent, deadline } = context;
    const found = await ask(FindMessage, { organizationId, messageId }, { requestId, traceparent, deadline });
    if (found.profileId !== profileId) throw new Refused('NOT_FOUND', 'The profile has no such message.');
    return found;
  };
  return { find, quote: async (...about) => quoteOf(await find(...about)) };
}

export const quoteOf = (found: Found): QuotedMessageOf => ({
  ...targetOf(found),
  ...(found.text !== undefined && { text: found.text }),
});

export const targetOf = ({ networkMessageId, author, fromMe }: Found): MessageTargetOf => ({
  networkMessageId,
  fromMe,
  ...(author !== undefined && { author }),
});
