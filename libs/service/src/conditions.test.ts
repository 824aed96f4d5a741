import { describe, expect, it } from '@jest/globals';
import { allOf, holding, ofProfiles, whereGiven } from './conditions.ts';
import { testCaller } from './testing/test-caller.ts';

describe('conditions', () => {
  it('have their values numbered through, also one that stands twice and more than nine', () => {
    const many = Array.from({ length: 9 }, (_, index) => [`a${index} = $1`, index] as const);
    expect(allOf([...many, ['(b = $2 OR c = $1 OR d = $2)', 'x', 'y'], ['NOT e']])).toEqual({
      text: `${many.map((_, index) => `a${index} = $${index + 1}`).join(' AND ')} AND (b = $11 OR c = $10 OR d = $11) AND NOT e`,
      values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 'x', 'y'],
    });
  });

  it('are left out where nothing is given; what is false or empty is given', () =>
    expect(
      allOf([
        ['a'],
        whereGiven('b = $1', undefined),
        whereGiven('c = $1', false),
        whereGiven('d LIKE $1', '', holding),
      ]),
    ).toEqual({ text: 'a AND c = $1 AND d LIKE $2', values: [false, '%%'] }));

  it('look for a text as it is', () => expect(holding('50%_\\')).toBe('%50\\%\\_\\\\%'));

  it('keep an API key to its profiles', () => {
    const caller = testCaller({ profileIds: ['p', 'q'] });
    expect(ofProfiles('of', testCaller(), undefined)).toBeUndefined();
    expect(ofProfiles('of', caller, undefined)).toEqual(['of = ANY ($1::uuid[])', ['p', 'q']]);
    expect(ofProfiles('of', caller, 'q')).toEqual(['of = $1', 'q']);
    expect(() => ofProfiles('of', caller, 'r')).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  });
});
