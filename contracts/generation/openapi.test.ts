import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Type } from 'typebox';
import { closed, events, operations, tags, textFormats, webhookEventKinds } from '../src/index.ts';
import { fieldWords, typeWords } from './field-words.ts';
import type { Json } from './json-schema.ts';
import { NamedSchemas } from './named-schemas.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument(operations, events);
const { schemas } = document['components'] as { readonly schemas: Readonly<Record<string, Json>> };

/** Every object that lies in a value, with where it is. */
function* objectsIn(value: unknown, path = ''): Generator<readonly [path: string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Json];
  for (const [key, inner] of Object.entries(value))
    if (key !== 'example' && key !== 'examples') yield* objectsIn(inner, `${path}/${key}`);
}
const fieldsOf = ({ properties }: Json): [string, Json][] =>
  Object.entries((properties as Readonly<Record<string, Json>> | undefined) ?? {});
const meant = (schema: Json): Json =>
  typeof schema['$ref'] === 'string' ? { ...schemas[schema['$ref'].split('/').at(-1) ?? ''], ...schema } : schema;

describe('the OpenAPI document', () => {
  it('is smaller than 850 KB', () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(850_000);
  });

  it('has the schemas of the domain, and each shape of several fields once', () => {
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(
        'ApiKey Contact ContactPage Conversation Event Group Member Message MessageContent MessagePage Organization Profile TextContent Webhook WebhookDelivery'.split(
          ' ',
        ),
      ),
    );
    const shapes = [...objectsIn({ schemas, paths: document['paths'] })].filter(
      ([path, shape]) => !/^\/schemas\/\w+$/.test(path) && fieldsOf(shape).length > 3,
    );
    const seen = shapes.map(([, shape]) => JSON.stringify(shape));
    expect(shapes.filter((_, index) => seen.indexOf(seen[index] ?? '') < index).map(([path]) => path)).toEqual([
      '/schemas/BatchSummary/properties/progress',
    ]);
  });

  it('says of each field what it is, and not of which type only', () => {
    const silent = [...objectsIn({ schemas, paths: document['paths'] })].flatMap(([path, shape]) =>
      fieldsOf(shape).flatMap(([name, field]) => {
        const words = meant(field)['description'];
        return typeof words === 'string' && !typeWords.has(words) ? [] : [`${path}: ${name}`];
      }),
    );
    expect(silent).toEqual([]);
    const told = JSON.stringify(document);
    expect(Object.values(fieldWords).filter((words) => !told.includes(JSON.stringify(words)))).toEqual([]);
  });

  it('says of each parameter what it is', () => {
    const silent = [...objectsIn(document['paths'])].filter(
      ([path, one]) => /\/parameters\/\d+$/.test(path) && one['$ref'] === undefined && one['description'] === undefined,
    );
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('begins with messages, and says of each group of routes what it is for', () => {
    const groups = document['tags'] as readonly Json[];
    expect(groups[0]?.['name']).toBe('Messages');
    expect(operations.filter(({ tag }) => !(tag in tags)).map(({ name }) => name)).toEqual([]);
    expect(groups).toHaveLength(Object.keys(tags).length);
  });

  it('tells every event that a webhook can get, by its kind', () => {
    const told = Object.keys(document['webhooks'] as Json);
    expect(told).toEqual(webhookEventKinds.toSorted());
    const { mapping } = meant({ $ref: '#/components/schemas/Event' })['discriminator'] as { readonly mapping: Json };
    expect(Object.keys(mapping)).toEqual(told);
  });

  it('refuses two schemas of one title', () => {
    const named = new NamedSchemas({});
    named.placed(closed({ one: Type.String() }, { title: 'Thing' }));
    expect(named.placed(closed({ one: Type.String() }, { title: 'Thing', description: 'Another one' }))).toEqual({
      $ref: '#/components/schemas/Thing',
      description: 'Another one',
    });
    expect(() => named.placed(closed({ two: Type.String() }, { title: 'Thing' }))).toThrow('Thing');
  });
});

describe('the pattern of a format of our own', () => {
  const own = Object.entries(textFormats).flatMap(([name, { fits, pattern }]) =>
    fits === undefined ? [] : [{ name, fits, pattern }],
  );
  const phone = fc
    .tuple(
      fc.constantFrom('', '+', ' +', '(+', '++', '\u202A+'),
      fc.stringMatching(/^[\d .()[\]\u2011\u00A0-]{0,24}$/),
      fc.constantFrom('', '@c.us', ' @c.us', '@c.us\u202C', '@s.whatsapp.net', '@lid', '@lid ', '@g.us', '@x.us'),
    )
    .map((parts) => parts.join(''));
  const texts = fc.oneof(
    phone,
    fc.stringMatching(/^\d{4,33}(-\d{4,33})?@(g\.us|lid)$/),
    fc.uuid(),
    fc.stringMatching(/^[A-Za-z0-9-]{0,12}$/),
    fc.constantFrom('', '👍', '❤', '❤️', '1️⃣', '🇩🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👩‍👩‍👧‍👦', 'x', '©'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );

  /** Formats of which no pattern can say all: emoji, zones, days. */
  const wider = new Set(['emoji', 'timezone', 'moment']);

  it.each(own)('$name fits whatever does, and nothing else where a pattern can say so', ({ name, fits, pattern }) => {
    const written = new RegExp(pattern ?? '', 'u');
    fc.assert(
      fc.property(texts, (text) => {
        const matches = written.test(text);
        expect(wider.has(name) ? matches || !fits(text) : matches === fits(text)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
