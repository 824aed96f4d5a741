import { describe, expect, it } from '@jest/globals';
import { Type } from 'typebox';
import { check } from './check.ts';
import { permissions } from './permissions.ts';
import { Id, Recipient, closed, oneOf } from './shapes.ts';

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

  it('name ten allowed words at most, and no long name of the client in full', () => {
    expect(messageOf(Many, { words: ['x'] })).toMatch(/^must be one of (\S+, ){9}\S+ and \d+ more$/);
    const [fault] = check(Many, { words: [], ['x'.repeat(100_000)]: 1 }, 'body');
    expect(size(fault)).toBeLessThan(1_000);
  });

  it('say what the form is', () => {
    expect(messageOf(closed({ to: Recipient }), { to: 'Ann' })).toMatch(/^must be a phone with its country code/);
    expect(messageOf(closed({ id: Id }), { id: '1' })).toMatch(/^must be a UUID, such as /);
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
