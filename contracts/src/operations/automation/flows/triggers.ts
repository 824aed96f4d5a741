import { Type } from 'typebox';
import { closed } from '../../../shapes.ts';
import { BroadcastRecipients } from '../../campaigns/broadcasts/shapes.ts';

const keyword = Type.String({ minLength: 1, maxLength: 200, pattern: String.raw`\S` });

/** The trigger that sets a flow off. */
export type FlowTrigger =
  | { readonly type: 'keyword'; readonly value: readonly string[] }
  | { readonly type: 'regex'; readonly value: string }
  | { readonly type: 'new_contact' }
  | {
      readonly type: 'schedule';
      readonly value: {
        readonly cron: string;
        readonly timezone: string;
        readonly recipients:
          | { readonly type: 'all' }
          | { readonly type: 'tags' | 'contacts'; readonly value: readonly string[] };
      };
    };

export const FlowTriggerShape = Type.Unsafe<FlowTrigger>({
  title: 'FlowTrigger',
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  description: 'Captions count as text',
  oneOf: [
    closed(
      {
        type: Type.Literal('keyword'),
        value: Type.Array(keyword, { minItems: 1, maxItems: 100, description: 'Words, or several words each' }),
      },
      { description: 'The text has one of these as whole words, in any script and case' },
    ),
    closed(
      {
        type: Type.Literal('regex'),
        value: Type.String({ minLength: 1, maxLength: 1000, description: 'RE2' }),
      },
      { description: 'The text has what the pattern describes; case counts, but for `(?i)`' },
    ),
    closed({ type: Type.Literal('new_contact') }, { description: 'The first message ever of that person' }),
    closed(
      {
        type: Type.Literal('schedule'),
        value: closed(
          {
            cron: Type.String({ minLength: 9, maxLength: 200, description: 'Five fields, such as `0 9 * * 1-5`' }),
            timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name, such as `Asia/Jakarta`' }),
            recipients: { ...BroadcastRecipients, description: 'Who gets it' },
          },
          { description: 'When, and for whom' },
        ),
      },
      { description: 'No message: the time itself' },
    ),
  ],
});
