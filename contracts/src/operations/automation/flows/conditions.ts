import { Type } from 'typebox';
import { storedTypes } from '../../../content/index.ts';
import { closed, oneOf } from '../../../shapes.ts';

type Not = { readonly not?: boolean };

/** A condition that must hold for a flow to answer. */
export type FlowCondition =
  | ({ readonly type: 'tag'; readonly value: string } & Not)
  | ({
      readonly type: 'field';
      readonly field: string;
      readonly operator: 'equals' | 'contains' | 'exists';
      readonly value?: string;
    } & Not)
  | ({
      readonly type: 'time';
      readonly timezone: string;
      readonly days?: readonly number[];
      readonly from?: string;
      readonly to?: string;
    } & Not)
  | ({ readonly type: 'message_type'; readonly value: readonly (typeof storedTypes)[number][] } & Not)
  | ({ readonly type: 'quoted' } & Not);

const not = Type.Optional(Type.Boolean({ description: 'It must not hold' }));
const clockTime = (description: string) =>
  Type.Optional(Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description }));

export const FlowConditionShape = Type.Unsafe<FlowCondition>({
  title: 'FlowCondition',
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [
    closed(
      { type: Type.Literal('tag'), value: Type.String({ minLength: 1, maxLength: 64, description: 'A tag' }), not },
      { description: 'The contact has the tag' },
    ),
    closed(
      {
        type: Type.Literal('field'),
        field: Type.String({
          maxLength: 128,
          pattern: String.raw`^(name|pushName|phone|metadata\..+)$`,
          description: '`name`, `pushName`, `phone` or `metadata.<key>`',
        }),
        operator: oneOf(['equals', 'contains', 'exists'], { description: '`exists`: the field has a value' }),
        value: Type.Optional(Type.String({ maxLength: 1024, description: 'Of `equals` and `contains`' })),
        not,
      },
      { description: 'A field of the contact; `contains` ignores case' },
    ),
    closed(
      {
        type: Type.Literal('time'),
        timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, such as `Asia/Jakarta`' }),
        days: Type.Optional(
          Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
            minItems: 1,
            maxItems: 7,
            uniqueItems: true,
            description: '1 Monday to 7 Sunday; of a time over midnight the day on which it began',
          }),
        ),
        from: clockTime('`HH:MM`; absent: 00:00'),
        to: clockTime('`HH:MM`, itself excluded; absent: midnight; earlier than `from`: over midnight'),
        not,
      },
      { description: 'It is that time, as clocks in the zone show it' },
    ),
    closed(
      {
        type: Type.Literal('message_type'),
        value: Type.Array(oneOf(storedTypes), {
          minItems: 1,
          maxItems: storedTypes.length,
          uniqueItems: true,
          description: 'Types',
        }),
        not,
      },
      { description: 'The message is of one of these types' },
    ),
    closed({ type: Type.Literal('quoted'), not }, { description: 'The message answers another one' }),
  ],
});
