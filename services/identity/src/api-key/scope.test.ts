import { describe, expect, it } from '@jest/globals';
import { isBlock, scopeOf } from './scope.ts';

const maker = { permissions: ['message:send', 'message:read'] };
const code = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return undefined;
};

describe('the scope of a key', () => {
  it('has no bound of its own when none is asked for', () => expect(scopeOf(maker, {})).toEqual({}));
  it('is refused more permissions than its maker has', () =>
    expect(code(() => scopeOf(maker, { permissions: ['webhook:manage'] }))).toBe('FORBIDDEN'));
  it('takes over the bounds of the key that makes it', () => {
    const parent = {
      permissions: ['message:send' as const],
      profileIds: ['a'],
      allowedCidrs: ['192.0.2.0/24'],
      expiresAt: '2026-01-02',
    };
    expect(scopeOf({ permissions: ['message:send'] }, { parent, expiresAt: '2026-01-09' })).toEqual(parent);
  });
  it('may be narrower than the key that makes it', () =>
    expect(scopeOf(maker, { parent: { profileIds: ['a', 'b'] }, profileIds: ['b'] })).toEqual({ profileIds: ['b'] }));
  it('is refused a profile that the key that makes it does not have', () =>
    expect(code(() => scopeOf(maker, { parent: { profileIds: ['a'] }, profileIds: ['b'] }))).toBe('FORBIDDEN'));
  it('is refused a malformed block of addresses', () =>
    expect(code(() => scopeOf(maker, { allowedCidrs: ['192.0.2.0/24', '192.0.2.0/33'] }))).toBe('VALIDATION_ERROR'));
});

describe('a block of addresses', () => {
  it.each(['192.0.2.1', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::/32', '::1'])('can be %s', (text) =>
    expect(isBlock(text)).toBe(true),
  );
  it.each([
    '',
    '192.0.2',
    '192.0.2.0/33',
    '192.0.2.0/',
    '2001:db8::/129',
    'fe80::1%eth0',
    '192.0.2.0/24/8',
    'example.com',
  ])('cannot be %j', (text) => expect(isBlock(text)).toBe(false));
});
