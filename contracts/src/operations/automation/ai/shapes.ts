import { Type } from 'typebox';
import { closed, Count, oneOf } from '../../../shapes.ts';

export const AiUsage = closed(
  {
    promptTokens: { ...Count, description: 'Of what the model was given' },
    completionTokens: { ...Count, description: 'Of what it has written' },
    totalTokens: { ...Count, description: 'What counts against the budget' },
  },
  { title: 'AiUsage', description: 'As the provider counts, else a quarter of the characters' },
);

/** A text of a conversation, as a model is told it. */
export const ChatTurn = closed(
  {
    role: oneOf(['user', 'assistant'], { description: '`user`: the contact; `assistant`: you' }),
    content: Type.String({ minLength: 1, maxLength: 65_536 }),
  },
  { title: 'ChatTurn' },
);
