import { Type, type Static } from 'typebox';
import { closed, oneOf } from '../../../shapes.ts';

/** What a model may do for whom it answers, without asking anybody outside. */
export const standardToolNames = ['search_knowledge', 'add_tag', 'handover'] as const;

export const StandardTools = Type.Array(oneOf([...standardToolNames]), {
  maxItems: standardToolNames.length,
  uniqueItems: true,
  description: 'What the model may do',
});

const OwnToolShape = closed(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'By which the model calls it: letters, digits, `_` and `-`',
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Tells the model what it does, and when to use it',
    }),
    parameters: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'JSON schema of an object, of `type` (one), `description`, `properties`, `required`, `additionalProperties` (true or false), `items`, `enum`, `minimum`, ' +
          '`maximum`, `minLength`, `maxLength`, `minItems` and `maxItems`; 8,192 characters and 5 levels at most. Arguments that do not fit are told to the model, not to the URL',
      },
    ),
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'http or https, without credentials; the target guard applies',
    }),
  },
  {
    title: 'OwnTool',
    description:
      'A tool of your own. The URL is posted `{ id, event: "ai.tool", flowId, runId, profileId, timestamp, data, contact, match, tool, arguments }`, signed with `secret`, which ' +
      'is needed then; who is answered stands in `data` and `contact` and is nothing that the model says. What it answers (2xx, within 10 seconds, up to 16,384 characters of it) is told to the model',
  },
);
/** A tool of a tenant: a URL that is asked when the model calls it. */
export type OwnTool = Static<typeof OwnToolShape>;

export const OwnTools = Type.Array(OwnToolShape, { maxItems: 8, description: 'Tools of your own, names distinct' });
