import { Type, type Static } from 'typebox';
import { closed } from '../shapes.ts';
import { IncomingContent } from './incoming.ts';

/** A change of a message that exists already. */
export const MessageChange = Type.Union([
  closed({ type: Type.Literal('edited'), content: IncomingContent }),
  closed({ type: Type.Literal('revoked') }),
  closed({
    type: Type.Literal('reacted'),
    emoji: Type.String({ description: 'Empty: the reaction was taken back' }),
  }),
  closed({
    type: Type.Literal('voted'),
    options: Type.Array(Type.String({ description: 'Names of all options chosen now; none: the vote was taken back' })),
  }),
]);
export type MessageChangeOf = Static<typeof MessageChange>;
