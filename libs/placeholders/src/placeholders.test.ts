import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fill, hasPlaceholders, placeholdersOf, valuesFrom } from './placeholders.ts';

const name = fc.stringMatching(/^[A-Za-z0-9_.]{1,64}$/);
const plain = fc.string().map((text) => text.replaceAll(/[{}]/g, ''));
const none = valuesFrom({});

describe('placeholders', () => {
  it.each([
    ['Hello {{name}}', [{ name: 'name' }]],
    ['{{name|friend}}', [{ name: 'name', fallback: 'friend' }]],
    ['{{name|}}', [{ name: 'name', fallback: '' }]],
    ['{{a}} {{b.c|x|y}} {{a}}', [{ name: 'a' }, { name: 'b.c', fallback: 'x|y' }, { name: 'a' }]],
    ['{{{name}}}', [{ name: 'name' }]],
    ['{name} {{ name }} {{}} {{na me}} {{näme}} {{name|{x}}} {{name', []],
    [`{{${'a'.repeat(65)}}}`, []],
  ])('are found in %s', (text, found) => {
    expect(placeholdersOf(text)).toEqual(found);
    expect(hasPlaceholders(text)).toBe(found.length > 0);
  });

  it('are found and filled in every string but base64, not in the names of fields', () => {
    const content = { text: '{{a}}', options: ['{{b}}', { '{{c}}': '{{d|x}}' }], base64: '{{e}}', gif: true, at: 1.5 };
    expect(placeholdersOf(content).map((one) => one.name)).toEqual(['a', 'b', 'd']);
    expect(fill(content, valuesFrom({ a: '1', e: '5' }))).toEqual({
      filled: { text: '1', options: ['{{b}}', { '{{c}}': 'x' }], base64: '{{e}}', gif: true, at: 1.5 },
      missing: ['b'],
    });
  });

  it('take values as they are: no pattern, no other placeholder, nothing that every object has', () => {
    expect(fill('{{a}}', valuesFrom({ a: '$& {{b}}', b: 'x' }))).toEqual({ filled: '$& {{b}}', missing: [] });
    for (const inherited of ['constructor', '__proto__', 'toString'])
      expect(fill(`{{${inherited}}}`, none)).toEqual({ filled: `{{${inherited}}}`, missing: [inherited] });
  });

  it('are filled with an empty value too, before their fallback', () =>
    expect(fill('<{{a|x}}>', valuesFrom({ a: '' }))).toEqual({ filled: '<>', missing: [] }));

  it('do not make gigabytes', () => {
    const { filled } = fill('{{a}}'.repeat(10_000), valuesFrom({ a: 'x'.repeat(65_536) }));
    expect(filled.length).toBeLessThan(2_000_000);
    expect(filled.length).toBeGreaterThan(1_048_576);
  });

  it('leave text without them alone', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(placeholdersOf(text).length === 0);
        expect(fill(text, () => 'x')).toEqual({ filled: text, missing: [] });
      }),
    ));

  it('are filled where they stand, whatever stands around them and whatever the values are', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, name, fc.string(), fc.option(plain)), { maxLength: 20 }), (parts) => {
        const values = Object.fromEntries(parts.map(([, key, value]) => [key, value]));
        const last = (key: string): string => values[key] ?? '';
        const text = parts.map(([before, key, , or]) => `${before}{{${key}${or === null ? '' : `|${or}`}}}`).join('');
        const wanted = parts.map(([before, key]) => before + last(key)).join('');
        expect(fill(text, valuesFrom(values))).toEqual({ filled: wanted, missing: [] });
        const [unfilled, names] = [fill(text, none), parts.flatMap(([, key, , or]) => (or === null ? [key] : []))];
        expect(unfilled.missing).toEqual([...new Set(names)]);
      }),
    ));

  it('that stay are found again', () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { filled, missing } = fill(text, none);
        expect(placeholdersOf(filled).map((one) => one.name)).toEqual(expect.arrayContaining([...missing]));
      }),
    ));
});
