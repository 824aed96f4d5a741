import { describe, expect, it } from '@jest/globals';
import { fingerprintOf, newBackupCodes, newSecret, otpauthUrl, stepOf } from './codes.ts';

/** RFC 6238, appendix B: the last six of eight digits, SHA-1, secret "12345678901234567890". */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

describe('codes of an authenticator app', () => {
  it('are those of RFC 6238', () => {
    for (const [seconds, code] of vectors) expect(stepOf(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('are taken a period early or late, and no more', () => {
    const [seconds, code] = [1_234_567_890, '005924'];
    for (const apart of [-30, 0, 30]) expect(stepOf(secret, code, (seconds + apart) * 1000)).toBe(41_152_263);
    for (const apart of [-60, 60]) expect(stepOf(secret, code, (seconds + apart) * 1000)).toBeUndefined();
  });

  it('are six digits and nothing else', () => {
    for (const code of ['', '5924', '0005924', ' 05924', '００５９２４', '00592x', '-05924', '1e1234'])
      expect(stepOf(secret, code, 1_234_567_890_000)).toBeUndefined();
  });

  it('come from a secret of their own of 160 bits, in a form that apps read', () => {
    const made = newSecret();
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(newSecret()).not.toBe(made);
    const url = new URL(otpauthUrl(made, 'ada@example.com'));
    expect(`${url.protocol}//${url.host}${decodeURIComponent(url.pathname)}`).toBe(
      'otpauth://totp/Messaging Gateway:ada@example.com',
    );
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ secret: made, period: '30', digits: '6' });
  });
});

describe('backup codes', () => {
  it('are ten, and all different', () => {
    const codes = newBackupCodes();
    expect(codes).toHaveLength(10);
    expect(new Set([...codes, ...newBackupCodes()]).size).toBe(20);
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
  });

  it('are read however they are written, and are each user’s own', () => {
    const one = fingerprintOf('ada', 'abcde-23456');
    for (const written of ['ABCDE-23456', 'abcde23456', ' abcde 23456 '])
      expect(fingerprintOf('ada', written)).toBe(one);
    expect(fingerprintOf('bob', 'abcde-23456')).not.toBe(one);
    expect(one).not.toContain('abcde');
  });
});
