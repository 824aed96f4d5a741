import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { phoneHint } from './phone-hint.ts';

describe('the hint to a phone', () => {
  it.each([
    ['015112345678', /country code seems to be missing: write \+49/],
    ['004915112345678', /begins with 00/],
    ['15112345678', /country code may be missing/],
    ['2025550123', /country code may be missing/],
    ['9161234567', /country code may be missing/],
    ['999999999999999', /country code may be missing/],
    ['49015112345678', /within the country only/],
    ['4407911123456', /within the country only/],
    ['556187654321', /Brazil have a 9/],
    ['5561987654321', /Brazil without the 9/],
    ['5215512345678', /Mexico have no 1/],
    ['525512345678', /Mexico with a 1/],
    ['541123456789', /Argentina have a 9/],
    ['54111523456789', /Argentina have a 9 behind 54, and no 15/],
  ])('%s says what is likely wrong', async (digits, hint) => {
    expect(await phoneHint(digits)).toMatch(hint);
  });

  it.each(['4915112345678', '12025550123', '5491123456789', '393401234567', '390612345678', '2250712345678'])(
    '%s is not there, though nothing is wrong with it',
    async (digits) => expect(await phoneHint(digits)).toBeUndefined(),
  );

  it('is one of a few sentences: it tells nobody the phone', async () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 15 });
    const told = new Set<string | undefined>();
    await fc.assert(fc.asyncProperty(digits, async (phone) => void told.add(await phoneHint(phone))));
    for (const country of ['49', '55', '52', '521', '54', '549', '0', '00'])
      await fc.assert(fc.asyncProperty(digits, async (phone) => void told.add(await phoneHint(country + phone))));
    expect(told.size).toBeLessThanOrEqual(10);
  });
});
