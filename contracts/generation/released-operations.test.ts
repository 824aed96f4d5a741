import { describe, expect, it } from '@jest/globals';
import { Type, type TSchema } from 'typebox';
import { closed, internalOperations } from '../src/index.ts';
import { accepted } from './accepted-breaks.ts';
import { shapeOf } from './json-schema.ts';
import { breaksBetween, releasedOperations } from './released-operations.ts';

const before = closed({ to: Type.String(), count: Type.Optional(Type.Integer()), kind: Type.Enum(['one', 'two']) });
const { properties } = before;
const breaks = (after: TSchema): string[] => breaksBetween(shapeOf(before), shapeOf(after), 'request');

describe('requests between two versions', () => {
  it('may get and lose fields that may be absent', () => {
    const { count: _, ...without } = properties;
    expect(breaks(closed({ ...without, more: Type.Optional(Type.String()) }))).toEqual([]);
  });

  it.each([
    ['a required field', closed({ ...properties, more: Type.String() }), 'request.more: the required field was added'],
    [
      'a field less',
      closed({ count: properties.count, kind: properties.kind }),
      'request.to: the required field was removed',
    ],
    [
      'a field that must be there now',
      closed({ ...properties, count: Type.Integer() }),
      'request.count: the field was optional and is required',
    ],
    ['a value less', closed({ ...properties, kind: Type.Enum(['one']) }), 'request.kind: the value "two" was removed'],
    [
      'a value more',
      closed({ ...properties, kind: Type.Enum(['one', 'two', 'three']) }),
      'request.kind: the value "three" was added, which readers do not know',
    ],
    [
      'a bound',
      closed({ ...properties, to: Type.String({ maxLength: 7 }) }),
      'request.to: maxLength was nothing and is 7',
    ],
  ])('break with %s', (_, after, line) => expect(breaks(after)).toEqual([line]));
});

describe('internal operations', () => {
  const now = new Map(internalOperations.map((one) => [one.name, one]));
  const found = Object.entries(releasedOperations()).flatMap(([name, { request, answer }]) => {
    const contract = now.get(name);
    if (contract === undefined) return [`${name} was removed`];
    return [
      ...breaksBetween(request, shapeOf(contract.body), `${name} request`),
      ...breaksBetween(answer, shapeOf(contract.answer), `${name} answer`),
    ];
  });

  // What has to be otherwise is an operation of another name; the old one stays for a version.
  it('are understood by the version before, and understand it', () => {
    expect(found.filter((line) => !(line in accepted))).toEqual([]);
  });

  it('are excused for what is so only', () => {
    expect(Object.keys(accepted).filter((line) => !found.includes(line))).toEqual([]);
  });
});
