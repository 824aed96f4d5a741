import { setTimeout as delay } from 'node:timers/promises';
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
  /** A message that is quoted, as the network names it. */
  readonly quote: Find<QuotedMessageOf>;
}

/** A message of a moment ago may be on its way to the inbox: it is looked for again so often, milliseconds apart. */
const looks = 20;
const pauseMs = 50;
/** How far the time in an id may be away from now, milliseconds. */
const freshMs = 2000;

export function targetsFrom({ ask, clock }: Pick<ServiceTools<unknown>, 'ask' | 'clock'>): Targets {
  const arrived = async (messageId: string, look: () => Promise<Found>): Promise<Found> => {
    for (let left = looks; ; left -= 1) {
      try {
        return await look();
      } catch (error) {
        const isMissing = error instanceof Refused && error.code === 'NOT_FOUND';
        if (!isMissing || left === 0 || Math.abs(clock.now() - mintedAt(messageId)) > freshMs) throw error;
      }
      await delay(pauseMs);
    }
  };
  const find: Targets['find'] = async (messageId, profileId, { organizationId }, context) => {
    const { requestId, traceparent, deadline } = context;
    const found = await arrived(messageId, () =>
      ask(FindMessage, { organizationId, messageId }, { requestId, traceparent, deadline }),
    );
    if (found.profileId !== profileId) throw new Refused('NOT_FOUND', 'The profile has no such message.');
    return found;
  };
  return { find, quote: async (...about) => quoteOf(await find(...about)) };
}

/** When an id of version 7 was made, milliseconds since 1970; 0 for others. */
const mintedAt = (id: string): number => (id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : 0);

const quoteOf = (found: Found): QuotedMessageOf => ({
  ...targetOf(found),
  ...(found.text !== undefined && { text: found.text }),
});

export const targetOf = ({ networkMessageId, author, fromMe }: Found): MessageTargetOf => ({
  networkMessageId,
  fromMe,
  ...(author !== undefined && { author }),
});
