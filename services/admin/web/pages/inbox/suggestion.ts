import type { RequestOf } from '../../api/operations.ts';
import type { Message } from '../../messages/shapes.ts';

/** A provider is told so much of what was said before. */
const mostTurns = 20;

/** What a message says in words; undefined: nothing. */
export function wordsOf({ content }: Pick<Message, 'content'>): string | undefined {
  const words = content.type === 'text' ? content.text : 'caption' in content ? content.caption : undefined;
  return words === undefined || words.trim() === '' ? undefined : words;
}

/**
 * A request for an answer to what the other side has written last; undefined where it has written nothing.
 *
 * @param messages newest first
 */
export function suggestionFor(profileId: string, messages: readonly Message[]): RequestOf<'SuggestReply'> | undefined {
  let asked: string | undefined;
  const before: { readonly role: 'user' | 'assistant'; readonly content: string }[] = [];
  for (const message of messages) {
    const content = wordsOf(message);
    if (content === undefined) continue;
    const isIncoming = message.direction === 'incoming';
    if (asked !== undefined) before.push({ role: isIncoming ? 'user' : 'assistant', content });
    else if (isIncoming) asked = content;
    // A chat may have tens of thousands: those further back are not looked at.
    if (before.length === mostTurns) break;
  }
  return asked === undefined
    ? undefined
    : { body: { profileId, message: asked, previousMessages: before.toReversed() } };
}
