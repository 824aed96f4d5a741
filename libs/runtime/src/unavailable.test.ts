import { describe, expect, it } from '@jest/globals';
import { databaseError, isUnavailable, Unavailable } from './unavailable.ts';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

describe('an error of the database', () => {
  it.each(['ECONNREFUSED', '28P01', '57P01', '08006', '53300'])('%s means that it is away', (code) => {
    expect(isUnavailable(withCode(code))).toBe(true);
    expect(isUnavailable(new Error('wrapped', { cause: withCode(code) }))).toBe(true);
    expect(databaseError(withCode(code))).toBeInstanceOf(Unavailable);
  });

  it.each(['23505', '42P01', '40001'])('%s does not', (code) => {
    expect(isUnavailable(withCode(code))).toBe(false);
    expect(databaseError(withCode(code))).not.toBeInstanceOf(Unavailable);
  });
});
