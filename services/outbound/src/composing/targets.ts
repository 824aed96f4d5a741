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
  /**
   * A message that a send to the chat `to` quotes, as the network names it.
   *
   * @returns undefined for a message of another chat, unless it is quoted to the member of a group who wrote it
   */
  readonly quote: (to: string, ...about: Parameters<Find<Found>>) => Promise<QuotedMessageOf | undefined>;
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
  const findIn = async (
    quotedIn: string | undefined,
    ...[messageId, profileId, { organizationId }, context]: Parameters<Find<Found>>
  ): Promise<Found> => {
    const { requestId, traceparent, deadline } = context;
    const request = { organizationId, messageId, ...(quotedIn !== undefined && { quotedIn }) };
    const found = await arrived(messageId, () => ask(FindMessage, request, { requestId, traceparent, deadline }));
    if (found.profileId !== profileId) throw new Refused('NOT_FOUND', 'The profile has no such message.');
    return found;
  };
  return {
    find: (...about) => findIn(undefined, ...about),
    quote: async (to, ...about) => {
      const found = await findIn(to, ...about);
      // An inbox of the version before does not say.
      const { quotable = found.chat === to ? 'same-chat' : 'other-chat' } = found;
      if (quotable === 'other-chat') return undefined;
      return { ...quoteOf(found), ...(quotable === 'to-author' && { chat: found.chat }) };
    },
  };
}

/** When an id of version 7 was made, milliseconds since 1970; 0 for others. */
const mintedAt = (id: string): number => (id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : 0);

function quoteOf(found: Found): QuotedMessageOf {
  const { messageId: _, profileId: _profile, chat: _chat, sentAt: _sentAt, quotable: _quotable, ...quoted } = found;
  return quoted;
}

export const targetOf = ({ networkMessageId, author, fromMe }: Found): MessageTargetOf => ({
  networkMessageId,
  fromMe,
  ...(author !== undefined && { author }),
});
