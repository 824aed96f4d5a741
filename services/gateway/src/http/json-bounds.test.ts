import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertBounded } from './input.ts';

const look = (json: string) => () => assertBounded(Buffer.from(json));
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const list = (items: number): string => `[${Array.from({ length: items }, () => 0).join(',')}]`;

describe('JSON', () => {
  it('may be nested a hundred levels', () => {
    expect(look(nested(100))).not.toThrow();
    expect(look(nested(101))).toThrow('body must not be nested deeper than 100 levels');
    expect(look('{"a":'.repeat(20_000))).toThrow('deeper');
    expect(look(`[${'[],'.repeat(500)}[]]`)).not.toThrow();
  });

  it('may hold 100,000 values', () => {
    expect(look(list(100_000))).not.toThrow();
    expect(look(list(100_001))).toThrow('more than 100000 values');
  });

  it('may hold two mebibytes of names, and longer texts', () => {
    const named = (names: number): string =>
      `{${Array.from({ length: names }, (_, number) => `"${String(number).padStart(1_023, 'x')}":":"`).join(',')}}`;
    expect(look(named(2_048))).not.toThrow();
    expect(look(named(2_049))).toThrow('names of its fields');
    expect(look(`{"text":"${'x":'.repeat(9).replaceAll('"', '\\"')}${'x'.repeat(2_000_000)}"}`)).not.toThrow();
  });

  it('is counted outside of its texts only', () => {
    const inner = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', 'é', 'x'), maxLength: 2_000 });
    fc.assert(
      fc.property(fc.array(inner, { maxLength: 20 }), (texts) => {
        // Behind the texts there is room for so many values, and for not one more.
        const rest = 100_000 - texts.length - 1;
        const json = (more: number): string =>
          `[${[...texts.map((text) => JSON.stringify(text)), list(more)].join(',')}]`;
        expect(look(json(rest))).not.toThrow();
        expect(look(json(rest + 1))).toThrow('values');
      }),
      { numRuns: 30 },
    );
  });

  it('that breaks off in a text is left to the parser', () => {
    for (const text of ['"', `"${'x'.repeat(1_000)}`, `"${'\\'.repeat(1_001)}"`]) expect(look(text)).not.toThrow();
  });
});
