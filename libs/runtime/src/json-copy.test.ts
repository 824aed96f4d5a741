import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonCopy } from './json-copy.ts';

const throughText = (value: unknown): unknown => {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
};

describe('a JSON copy', () => {
  it('is what comes out of the text', () => {
    const anything = fc.anything({
      withDate: true,
      withSparseArray: true,
      withTypedArray: true,
      withNullPrototype: true,
    });
    fc.assert(fc.property(anything, (value) => expect(jsonCopy<unknown>(value)).toEqual(throughText(value))));
  });

  it('leaves out what JSON has no word for, and takes what says itself what it is', () => {
    const value = {
      a: undefined,
      b: [undefined, Number.NaN, -0],
      c: () => 1,
      at: new Date(0),
      own: { toJSON: () => 'x' },
    };
    expect(jsonCopy<unknown>(value)).toStrictEqual({ b: [null, null, 0], at: '1970-01-01T00:00:00.000Z', own: 'x' });
  });

  it('keeps a field that is called as the prototype, and shares nothing', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"list":[{}]}');
    const copy = jsonCopy(value);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1},"list":[{}]}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect((copy as { list: object[] }).list[0]).not.toBe((value as { list: object[] }).list[0]);
  });
});
