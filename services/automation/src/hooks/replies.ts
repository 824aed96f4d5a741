import { check, sendRoutes, type SendableType } from '@messaging-gateway/contracts';
import type { Content, Failure } from '../step.ts';

const nobody = { profileId: '00000000-0000-4000-8000-000000000000', to: '0000000' };
const longestReply = 65_536;
/** Messages in one answer, at most. */
const mostReplies = 5;

/**
 * Answer of a hook: `{ reply }`, `{ replies: [{ type, content }] }`, or nothing to say. URLs in contents are checked as
 * those of send routes are.
 */
export function repliesIn(text: string): readonly Content[] | Failure {
  if (text.trim() === '') return [];
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return notUnderstood('no JSON');
  }
  if (typeof answer !== 'object' || answer === null) return notUnderstood('no object');
  const { reply, replies } = answer as { reply?: unknown; replies?: unknown };
  if (reply !== undefined && reply !== null) {
    if (typeof reply !== 'string' || reply.length === 0 || reply.length > longestReply)
      return notUnderstood('a `reply` that is no text of 1 to 65,536 characters');
    return checked([{ type: 'text', content: { text: reply } }]);
  }
  if (replies === undefined || replies === null) return [];
  if (!Array.isArray(replies) || replies.length > mostReplies)
    return notUnderstood(`\`replies\` that are no list of at most ${mostReplies}`);
  return checked(replies);
}

function checked(replies: readonly unknown[]): readonly Content[] | Failure {
  const contents: Content[] = [];
  for (const reply of replies) {
    const { type, content } = (reply ?? {}) as { type?: SendableType; content?: Record<string, unknown> };
    const route = type !== undefined && Object.hasOwn(sendRoutes, type) ? sendRoutes[type] : undefined;
    if (type === undefined || route === undefined || typeof content !== 'object' || content === null)
      return notUnderstood('a reply without a known `type` and its `content`');
    // Bytes would have to be stored first: URLs are given instead.
    if ('base64' in content) return notUnderstood('media as base64');
    const [fault] = check(route.body, { ...structuredClone(content), ...nobody }, 'content');
    if (fault !== undefined) return notUnderstood(`a reply whose ${fault.path} ${fault.message}`);
    contents.push({ type, content });
  }
  return contents;
}

const notUnderstood = (what: string): Failure => ({
  code: 'BAD_ANSWER',
  message: `The URL answered with ${what}.`.slice(0, 300),
});
