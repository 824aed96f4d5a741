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
  const said = messages.flatMap((message) => {
    const content = wordsOf(message);
    return content === undefined ? [] : [{ direction: message.direction, content }];
  });
  const at = said.findIndex(({ direction }) => direction === 'incoming');
  const asked = said[at];
  if (asked === undefined) return undefined;
  const previousMessages = said
    .slice(at + 1, at + 1 + mostTurns)
    .toReversed()
    .map(({ direction, content }) => ({
      role: direction === 'incoming' ? ('user' as const) : ('assistant' as const),
      content,
    }));
  return { body: { profileId, message: asked.content, previousMessages } };
}
