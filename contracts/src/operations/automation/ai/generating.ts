import { Type, type TSchema } from 'typebox';
import { operation, type Operation } from '../../../contract.ts';
import { closed, Id, oneOf } from '../../../shapes.ts';
import { KnowledgeHit } from '../knowledge/reading.ts';
import { AiUsage, ChatTurn } from './shapes.ts';

const common = {
  owner: 'automation',
  method: 'POST',
  access: 'message:send',
  tag: 'AI',
  audit: false,
  // A second try included; longer than AI_TIMEOUT_MS can be.
  timeoutMs: 130_000,
  errors: ['AI_BUDGET_EXHAUSTED', 'AI_PROVIDER_FAILED'],
} as const satisfies Partial<Operation>;

const Text = (description: string) => Type.String({ minLength: 1, maxLength: 65_536, description });
const usage = { promptTokens: 20, completionTokens: 9, totalTokens: 29 };
const answered = <const T extends TSchema>(body: T, example: object) => ({
  200: { body, means: 'What the model has answered.', example },
});

const failures =
  'Without a provider 503. A provider that fails is 502, one that does not answer within `AI_TIMEOUT_MS` 504, after a second try where it answered 429 or 5xx.';
const streaming =
  'With `Accept: text/event-stream` events come as the model writes: their data is `{ content }`, the next piece; the last one is `event: done` with this answer, or `event: error`.';

export const CompleteText = operation({
  ...common,
  name: 'CompleteText',
  path: '/ai/complete',
  summary: 'Generic completion',
  means: `Asks the model. ${failures} Before it is asked, \`maxTokens\` and a quarter of the prompt's characters must fit into what is left of the budget, else 429. ${streaming}`,
  spoken: true,
  body: closed({
    prompt: Type.String({ minLength: 1, maxLength: 262_144, description: 'What the model is told' }),
    systemPrompt: Type.Optional(Text('How it is to answer')),
    maxTokens: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 131_072, description: 'Of the answer; 1,024 when left out' }),
    ),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2, description: 'How freely it chooses its words' })),
  }),
  answers: answered(closed({ content: Type.String(), usage: AiUsage }, { title: 'AiCompletion' }), {
    content: 'Your parcel is on its way.',
    usage,
  }),
  example: { prompt: 'Say that the parcel is on its way.', maxTokens: 100 },
});

export const SuggestReply = operation({
  ...common,
  name: 'SuggestReply',
  path: '/ai/auto-reply',
  summary: 'Generate an auto-reply suggestion',
  means: `Suggests an answer to a contact's message, and sends nothing. With \`profileId\` it goes by the knowledge of that profile. ${failures} ${streaming}`,
  spoken: true,
  body: closed({
    message: Text('What the contact has written'),
    profileId: Type.Optional(Id),
    previousMessages: Type.Optional(Type.Array(ChatTurn, { maxItems: 50, description: 'Oldest first' })),
  }),
  answers: answered(
    closed(
      {
        reply: Type.String({ description: 'The suggestion' }),
        citations: Type.Array(KnowledgeHit, { description: 'Knowledge that the model was given; empty without any' }),
        usage: AiUsage,
      },
      { title: 'ReplySuggestion' },
    ),
    { reply: 'We open at nine.', citations: [], usage },
  ),
  errors: [...common.errors, 'NOT_FOUND'],
  example: { message: 'When do you open?', previousMessages: [{ role: 'user', content: 'Hello' }] },
});

export const ScoreSentiment = operation({
  ...common,
  name: 'ScoreSentiment',
  path: '/ai/sentiment',
  summary: 'Sentiment scoring',
  means: `Asks the model how a message sounds. ${failures}`,
  body: closed({ message: Text('The message') }),
  answers: answered(
    closed(
      {
        sentiment: oneOf(['positive', 'neutral', 'negative'], { description: 'How it sounds' }),
        confidence: Type.Number({ minimum: 0, maximum: 1, description: 'How sure the model is' }),
      },
      { title: 'Sentiment' },
    ),
    { sentiment: 'positive', confidence: 0.97 },
  ),
  example: { message: 'Thank you so much!' },
});

export const TranslateText = operation({
  ...common,
  name: 'TranslateText',
  path: '/ai/translate',
  summary: 'Translate text',
  means: `Asks the model for a translation. ${failures}`,
  body: closed({
    text: Text('What is to be translated'),
    targetLanguage: Type.String({
      minLength: 2,
      maxLength: 64,
      pattern: "^[\\p{L}\\p{N}\\p{M} ()'_-]+$",
      description: 'A name or code, such as `Indonesian` or `id`',
    }),
  }),
  answers: answered(closed({ text: Type.String() }, { title: 'Translation' }), { text: 'Selamat pagi' }),
  example: { text: 'Good morning', targetLanguage: 'Indonesian' },
});
