import { FindMessage, type Caller, type QuotedMessageOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { RequestContext, ServiceTools } from '@messaging-gateway/service';

/** A message that is quoted, as the network names it. */
export type Quote = QuotedMessageOf;

export interface Quotes {
  /** @throws Refused NOT_FOUND when the profile has no such message */
  find(messageId: string, profileId: string, caller: Caller, context: RequestContext): Promise<Quote>;
}

/** Quoted messages are the inbox's: it is asked, once per send that quotes. */
export function quotesFrom({ ask }: Pick<ServiceTools<unknown>, 'ask'>): Quotes {
  return {
    find: async (messageId, profileId, { organizationId }, { requestId, traceparent, deadline }) => {
      const found = await ask(FindMessage, { organizationId, messageId }, { requestId, traceparent, deadline });
      if (found.profileId !== profileId) throw new Refused('NOT_FOUND', 'The profile has no such message.');
      const { networkMessageId, author, fromMe, text } = found;
      return { networkMessageId, fromMe, ...(author !== undefined && { author }), ...(text !== undefined && { text }) };
    },
  };
}
