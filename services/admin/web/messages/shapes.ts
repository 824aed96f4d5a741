import type { AnswerOf } from '../api/operations.ts';
import { tamed } from '../language/isolated.ts';

export type Conversation = AnswerOf<'GetConversation'>;
export type Message = AnswerOf<'GetMessage'>;
export type Content = Message['content'];

/** Number or id of a JID, as people know it. */
export const numberOf = (jid: string): string => {
  const [id = '', domain] = jid.split('@');
  return domain === 'c.us' ? `+${id}` : id;
};

/** Name of a conversation, or its number. */
export const titleOf = ({ name, jid }: Pick<Conversation, 'name' | 'jid'>): string =>
  name === null || name.trim() === '' ? numberOf(jid) : tamed(name);
