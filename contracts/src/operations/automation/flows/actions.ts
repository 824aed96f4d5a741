import { Type, type Static } from 'typebox';
import { PlaceholderValues } from '../../../placeholder.ts';
import { Id, MessageType, closed, oneOf } from '../../../shapes.ts';
import { words } from '../../outbound/send-fields.ts';
import { OwnTools, StandardTools, type OwnTool, type standardToolNames } from './own-tools.ts';

const FlowMessage = closed(
  {
    type: MessageType,
    text: Type.Optional({ ...words, description: 'With `type: "text"`' }),
    content: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Fields of the send route of `type`; media by `url`',
      }),
    ),
    link: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'Fills `{{link}}`' })),
  },
  {
    title: 'FlowMessage',
    description:
      'Exactly one of `text` and `content`. Placeholders in all texts: `{{name}}`, `{{match}}`, `{{1}}` and so on (groups of the ' +
      'pattern), `{{message}}`, `{{link}}`, `{{phone}}`, `{{metadata.<key>}}`; each may have a fallback, as in `{{name|friend}}`',
  },
);
export type FlowMessageOf = Static<typeof FlowMessage>;

/** A step of a flow. */
export type FlowAction =
  | {
      readonly type: 'send';
      readonly message?: FlowMessageOf;
      readonly templateId?: string;
      readonly variables?: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'ai_reply';
      readonly knowledgeBase?: boolean;
      readonly fallback?: string;
      readonly systemPrompt?: string;
      readonly history?: number;
      readonly tools?: readonly (typeof standardToolNames)[number][];
      readonly ownTools?: readonly OwnTool[];
    }
  | { readonly type: 'add_tag' | 'remove_tag'; readonly value: string }
  | {
      readonly type: 'webhook';
      readonly url: string;
      readonly method?: 'POST' | 'PUT' | 'PATCH';
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'delay'; readonly ms: number }
  | { readonly type: 'handover' | 'stop' };

const tag = Type.String({ minLength: 1, maxLength: 64, description: 'A tag' });

export const FlowActionShape = Type.Unsafe<FlowAction>({
  title: 'FlowAction',
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [
    closed(
      {
        type: Type.Literal('send'),
        message: Type.Optional(FlowMessage),
        templateId: Type.Optional(Id),
        variables: Type.Optional({
          ...PlaceholderValues,
          description: "With `templateId`: values of the template's variables; they may hold placeholders",
        }),
      },
      { description: 'Sends a message: `message`, or a template' },
    ),
    closed(
      {
        type: Type.Literal('ai_reply'),
        knowledgeBase: Type.Optional(Type.Boolean({ description: 'Default: false' })),
        fallback: Type.Optional({ ...words, description: 'Sent when there is no answer' }),
        systemPrompt: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384, description: 'For the model' })),
        history: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 50, description: 'Earlier messages that go along. Default: 10' }),
        ),
        tools: Type.Optional(StandardTools),
        ownTools: Type.Optional(OwnTools),
      },
      { description: 'A model answers' },
    ),
    closed({ type: Type.Literal('add_tag'), value: tag }),
    closed({ type: Type.Literal('remove_tag'), value: tag }),
    closed(
      {
        type: Type.Literal('webhook'),
        url: Type.String({ minLength: 1, maxLength: 2048, description: 'http or https, without credentials' }),
        method: Type.Optional(oneOf(['POST', 'PUT', 'PATCH'], { description: 'Default: POST' })),
        headers: Type.Optional(
          Type.Record(Type.String(), Type.String({ maxLength: 2048 }), {
            maxProperties: 20,
            description: 'Values are shown as `********`, which keeps the value that a name has for this URL',
          }),
        ),
      },
      { description: 'Tells a URL, signed with the `secret` of the flow' },
    ),
    closed(
      {
        type: Type.Literal('delay'),
        ms: Type.Integer({ minimum: 0, maximum: 86_400_000, description: 'Milliseconds' }),
      },
      { description: 'Waits before the next step' },
    ),
    closed({ type: Type.Literal('handover') }, { description: 'Leaves the chat to people' }),
    closed({ type: Type.Literal('stop') }, { description: 'Ends the run' }),
  ],
});
