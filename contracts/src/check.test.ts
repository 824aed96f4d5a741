import { describe, expect, it } from '@jest/globals';
import { Type } from 'typebox';
import { check } from './check.ts';
import { permissions } from './permissions.ts';
import { Id, Recipient, closed, nullable, oneOf } from './shapes.ts';
import { textFormats } from './text-formats.ts';

const Many = closed({ words: Type.Array(oneOf(permissions), { uniqueItems: true }), to: Type.Optional(Recipient) });
const size = (value: unknown): number => JSON.stringify(value).length;
const messageOf = (schema: Parameters<typeof check>[0], value: unknown): string | undefined =>
  check(schema, value, 'body')[0]?.message;

describe('faults', () => {
  it('are all told of a small input, fifty at most', () => {
    expect(check(Many, { to: 'Ann', other: 1 }, 'body').map(({ path }) => path)).toEqual([
      'body.words',
      'body.other',
      'body.to',
    ]);
    const found = check(Many, { words: Array.from({ length: 400 }, () => 0) }, 'body');
    expect(found).toHaveLength(50);
    expect(size(found)).toBeLessThan(16_384);
  });

  it('are looked for up to the first one in a large input', () => {
    expect(check(Many, { words: Array.from({ length: 500_000 }, () => 0) }, 'body')).toHaveLength(1);
    const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, 0]));
    expect(check(Many, { words: [], ...unknown }, 'body')).toHaveLength(1);
  });

  it('name what may have been meant, list many words once, and no long name of the client in full', () => {
    const found = check(Many, { words: ['mesage:send', 'x'], tu: '49' }, 'body');
    expect(found.map(({ path, message }) => [path, message])).toEqual([
      ['body.tu', 'is not a known field'],
      ['body.words[0]', expect.stringMatching(/^is none of the \d+ words known here; did you mean message:send/)],
      ['body.words[1]', expect.stringMatching(/^is none of the \d+ words known here, such as \S+ or \S+$/)],
    ]);
    expect(found.map(({ allowed }) => allowed?.length)).toEqual([undefined, permissions.length, undefined]);
    expect(messageOf(closed({ subject: Type.Optional(Type.String()) }), { subjekt: 'x' })).toBe(
      'is not a known field; did you mean subject?',
    );
    const few = closed({ colour: oneOf(['red', 'green']) });
    expect(messageOf(few, { colour: 'rad' })).toBe('must be one of red, green; did you mean red?');
    const [fault] = check(Many, { words: [], ['x'.repeat(100_000)]: 1 }, 'body');
    expect(size(fault)).toBeLessThan(1_000);
  });

  it.each(Object.entries(textFormats))('say what %s must be, with an example', (_, { form, fits }) => {
    expect(form).toMatch(/^must .*, such as \S/);
    const example = / such as (.+?)(?: or .*|, or .*|; .*)?$/.exec(form)?.[1] ?? '';
    expect([example, fits?.(example) ?? true]).toEqual([example, true]);
  });

  it('cost little, however many there are of a small input', () => {
    const lists = closed({ items: Type.Array(nullable(Id)) });
    expect(check(lists, { items: Array.from({ length: 1000 }, () => 0) }, 'body')).toHaveLength(50);
  });

  it('say what the form is', () => {
    expect(messageOf(closed({ to: Recipient }), { to: 'Ann' })).toMatch(/^must be a phone with its country code/);
    expect(messageOf(closed({ id: Id }), { id: '1' })).toMatch(/^must be a UUID, such as /);
    expect(messageOf(closed({ name: nullable(Type.String()) }), { name: 1 })).toBe('must be a text or null');
    expect(check(closed({ id: nullable(Id) }), { id: 'x' }, 'body')).toHaveLength(1);
    const at = closed({ at: Type.String({ format: 'date-time' }) });
    expect(messageOf(at, { at: 'today' })).toMatch(/^must be a time with its zone in ISO 8601/);
    expect(messageOf(at, { at: 't'.repeat(1_000_000) })).toMatch(/^must be a time/);
    const two = closed({ options: Type.Array(Type.String(), { minItems: 2, uniqueItems: true }) });
    expect(messageOf(two, { options: [] })).toBe('must have at least 2 items');
    expect(messageOf(two, { options: ['a', 'a'] })).toBe('must not hold an item twice (items 0 and 1 are the same)');
    expect(messageOf(two, { options: {} })).toBe('must be a list');
    expect(messageOf(closed({ name: Type.String({ maxLength: 2, pattern: '^a' }) }), { name: 'xyz' })).toBe(
      'must have at most 2 characters',
    );
  });
});
