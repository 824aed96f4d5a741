import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.ts';
import { strongSecret } from './strong-secret.ts';

const table = {
  access: { variable: 'JWT_SECRET', means: '', read: strongSecret() },
  refresh: { variable: 'JWT_REFRESH_SECRET', means: '', read: strongSecret('JWT_SECRET') },
};
const faultsOf = (access: string, refresh: string) => () =>
  readSettings(table, { JWT_SECRET: access, JWT_REFRESH_SECRET: refresh });

describe('a secret that signs', () => {
  const good = randomBytes(32).toString('hex');

  it('may be any random text of 32 characters', () => {
    for (let count = 0; count < 200; count++) {
      const [access, refresh] = [randomBytes(16).toString('hex'), randomBytes(24).toString('base64url')];
      expect(readSettings(table, { JWT_SECRET: access, JWT_REFRESH_SECRET: refresh })).toEqual({ access, refresh });
    }
  });

  it('is refused when it is short, repeated, a placeholder or missing', () => {
    for (const weak of [
      '',
      'short',
      'a'.repeat(64),
      '1234567890'.repeat(4),
      'please-change-me-please-change-it-now',
      `${'abcdefgh'.repeat(5)}abc`,
    ]) {
      expect(faultsOf(weak, good)).toThrow(/JWT_SECRET/);
    }
  });

  it('is independent of the other one', () => {
    expect(faultsOf(good, good)).toThrow('JWT_REFRESH_SECRET must not be the same as JWT_SECRET');
  });

  it('is never shown, and all faults are named at once', () => {
    expect(faultsOf('aaaa', 'bbbb')).toThrow(/2 faults: JWT_SECRET .*JWT_REFRESH_SECRET/);
    expect(faultsOf('leaked-word', 'other-word')).not.toThrow(/leaked-word/);
  });
});
