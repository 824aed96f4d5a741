import type { OutgoingContentOf } from '@messaging-gateway/contracts';

/** The text of a text message; the type of any other. */
export const textOf = (content: OutgoingContentOf): string =>
  content.type === 'text' ? content.content.text : content.type;
