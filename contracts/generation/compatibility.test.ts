import { describe, expect, it } from '@jest/globals';
import { Type, type TSchema } from 'typebox';
import { closed, Count, events } from '../src/index.ts';
import { acceptedEventBreaks } from './accepted-breaks.ts';
import { differences, lineOf } from './compatibility.ts';
import { shapeOf, type Json } from './json-schema.ts';
import { published } from './published.ts';

const breaks = (before: TSchema, after: TSchema): string[] =>
  differences(shapeOf(before), shapeOf(after))
    .filter((difference) => difference.breaks)
    .map(lineOf);
const before = closed({
  to: Type.String(),
  count: Type.Optional(Type.Integer()),
  type: Type.Enum(['text', 'image']),
  media: Type.Object({ urls: Type.Array(Type.String({ format: 'uri' })) }),
});
const { properties } = before;

describe('a later shape of an event', () => {
  it('breaks readers when something they rely on is gone or different', () => {
    const { to: _, ...without } = properties;
    expect(breaks(before, closed(without))).toEqual(['data.to: the required field was removed']);
    expect(breaks(before, closed({ ...properties, to: Type.Optional(Type.String()) }))).toEqual([
      'data.to: the field was required and is optional',
    ]);
    expect(breaks(before, closed({ ...properties, to: Type.Number() }))).toEqual([
      'data.to: the type was "string" and is "number"',
    ]);
    expect(breaks(before, closed({ ...properties, type: Type.Enum(['text']) }))).toEqual([
      'data.type: the value "image" was removed',
    ]);
    expect(breaks(before, closed({ ...properties, type: Type.Enum(['text', 'image', 'poll']) }))).toEqual([
      'data.type: the value "poll" was added, which readers do not know',
    ]);
    const media = Type.Object({ urls: Type.Array(Type.String()) });
    expect(breaks(before, closed({ ...properties, media }))).toEqual([
      'data.media.urls[]: format was "uri" and is nothing',
    ]);
  });

  it('breaks nobody with a new field, one that is always there now, or one whose words are known now', () => {
    expect(breaks(before, closed({ ...properties, count: Type.Integer(), at: Type.String() }))).toEqual([]);
    const known = Type.String({ enum: ['you', 'me'] });
    expect(breaks(before, closed({ ...properties, to: known }))).toEqual([]);
    expect(breaks(closed({ to: known }), closed({ to: Type.String() }))).toHaveLength(1);
  });
});

describe('a union told apart by its type', () => {
  const one = closed({ type: Type.Literal('one'), text: Type.String() });
  const other = closed({ type: Type.Literal('other') });
  const holding = (...members: TSchema[]) => closed({ content: Type.Union(members) });

  it('may get further members', () => {
    expect(breaks(holding(one), holding(other, one))).toEqual([]);
    expect(differences(shapeOf(holding(one)), shapeOf(holding(one, other))).map(lineOf)).toEqual([
      'data.content: the member "other" was added',
    ]);
  });

  it('keeps those that it has, as they are', () => {
    expect(breaks(holding(one, other), holding(one))).toEqual(['data.content: the member "other" was removed']);
    expect(breaks(holding(one), holding(closed({ type: Type.Literal('one') })))).toEqual([
      'data.content(one).text: the required field was removed',
    ]);
    expect(breaks(holding(Type.String()), holding(Type.String(), Type.Null()))).toHaveLength(1);
    expect(breaks(holding(one, Type.Null()), holding(closed({ ...one.properties, more: Count }), Type.Null()))).toEqual(
      [],
    );
    expect(breaks(holding(one, Type.Null()), holding(closed({ type: Type.Literal('one') }), Type.Null()))).toEqual([
      'data.content(one).text: the required field was removed',
    ]);
  });
});

describe('events as they are told', () => {
  const frozen = published();
  const frozenShape = (type: string, version: number): Json | undefined => {
    const file = frozen.get(`${type}.v${version}.json`);
    return file === undefined ? undefined : (JSON.parse(file) as Json);
  };

  it('are as they were published: a change is a new version', () => {
    const faults = events.flatMap(({ type, version, data }) => {
      const shape = frozenShape(type, version);
      if (shape === undefined) return [];
      return differences(shape, shapeOf(data)).map(
        (difference) =>
          `${type} v${version} is published and frozen, but ${lineOf(difference)}: make version ${version + 1}`,
      );
    });
    expect(faults).toEqual([]);
  });

  // All versions of a kind lie in one topic, and a reader of the earlier version meets the later one there.
  it('can be read by who knows the version before: what breaks readers is a new kind', () => {
    const faults = events.flatMap(({ type, version, data }) => {
      const shape = frozenShape(type, version - 1);
      if (shape === undefined) return [];
      return differences(shape, shapeOf(data))
        .filter((difference) => difference.breaks)
        .map((difference) => `${type} v${version} breaks readers of v${version - 1}: ${lineOf(difference)}`);
    });
    expect(faults.toSorted()).toEqual(Object.keys(acceptedEventBreaks).toSorted());
  });
});
