import { describe, expect, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { Overtaken, twoFactor, type GivenCode, type TwoFactorCommand, type TwoFactorEvent } from './two-factor.ts';

const given = specification(twoFactor);
const userId = '0198c0de-0000-7000-8000-000000000001';
const client = { ipAddress: '192.0.2.1' };
/** RFC 6238, appendix B: at 1 234 567 890 seconds the code is 005924. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = 1_234_567_890_000;
const step = 41_152_263;

const code = (fields: Partial<GivenCode> = {}): GivenCode => ({
  code: '005924',
  fingerprint: 'none of them',
  at,
  requestedBy: 'one',
  client,
  ...fields,
});
const wrong = code({ code: '000000' });
const backup = (fingerprint: string) => code({ code: 'abcde-23456', fingerprint });

const offered: TwoFactorEvent = { type: 'TwoFactorOffered', data: { userId, secret } };
const enabled = (lastStep = step - 5, by: { requestedBy?: string } = {}): TwoFactorEvent => ({
  type: 'TwoFactorEnabled',
  data: { userId, step: lastStep, fingerprints: ['a', 'b'], remaining: 2, client, ...by },
});
const used = (data: { step?: number; fingerprint?: string }, remaining = 2, requestedBy = 'one'): TwoFactorEvent => ({
  type: 'TwoFactorCodeUsed',
  data: { userId, remaining, requestedBy, ...data },
});
const refused = (purpose: 'login' | 'enable' | 'disable' | 'backup-codes', failedAt = at): TwoFactorEvent => ({
  type: 'TwoFactorCodeRefused',
  data: { userId, purpose, at: failedAt, client },
});
const disabled = (requestedBy = 'one'): TwoFactorEvent => ({
  type: 'TwoFactorDisabled',
  data: { userId, client, requestedBy },
});

const offer: TwoFactorCommand = { type: 'Offer', userId, secret };
const enable = (by = code()): TwoFactorCommand => ({ type: 'Enable', given: by, fingerprints: ['a', 'b'] });
const logIn = (by = code()): TwoFactorCommand => ({ type: 'LogIn', given: by });
const renew = (by = code()): TwoFactorCommand => ({ type: 'RenewBackupCodes', given: by, fingerprints: ['c'] });
const disable = (by = code()): TwoFactorCommand => ({ type: 'Disable', given: by });

describe('two-factor login', () => {
  it('is offered with a secret, and with another one when asked again', () => {
    given().when(offer).then(offered);
    given(offered).when(offer).then(offered);
  });
  it('is turned on by a code of that secret', () =>
    given(offered)
      .when(enable())
      .then(enabled(step, { requestedBy: 'one' })));
  it('is not turned on by a wrong code, without an offer, or twice', () => {
    given(offered).when(enable(wrong)).then(refused('enable'));
    given().when(enable()).thenRefused('CONFLICT');
    given(offered, enabled()).when(enable()).thenRefused('CONFLICT');
  });
  it('is not offered while it is on', () => given(offered, enabled()).when(offer).thenRefused('CONFLICT'));
  it('takes a code', () => given(offered, enabled()).when(logIn()).then(used({ step })));
  it('refuses a wrong one', () => given(offered, enabled()).when(logIn(wrong)).then(refused('login')));
  it('takes each code once: not that which turned it on, nor an older one', () => {
    given(offered, enabled(step)).when(logIn()).then(refused('login'));
    const again = code({ requestedBy: 'another' });
    given(offered, enabled(), used({ step })).when(logIn(again)).then(refused('login'));
    given(offered, enabled(), used({ step: step + 1 }))
      .when(logIn(again))
      .then(refused('login'));
    given(offered, enabled(), used({ step })).when(disable(again)).then(refused('disable'));
    given(offered, enabled(), used({ step })).when(renew(again)).then(refused('backup-codes'));
  });
  it('answers the same request again', () => given(offered, enabled(), used({ step })).when(logIn()).thenNothing());
  it('takes each backup code once', () => {
    const first = [offered, enabled(), used({ fingerprint: 'a' }, 1, 'before')] as const;
    given(offered, enabled())
      .when(logIn(backup('a')))
      .then(used({ fingerprint: 'a' }, 1));
    given(...first)
      .when(logIn(backup('a')))
      .then(refused('login'));
    given(...first)
      .when(logIn(backup('b')))
      .then(used({ fingerprint: 'b' }, 0));
  });
  it('has other backup codes when asked, and the old ones are void', () => {
    const renewed: TwoFactorEvent = {
      type: 'BackupCodesRenewed',
      data: { userId, step, fingerprints: ['c'], remaining: 1, client, requestedBy: 'one' },
    };
    given(offered, enabled()).when(renew()).then(renewed);
    const later = (fingerprint: string) => ({ ...backup(fingerprint), requestedBy: 'another' });
    given(offered, enabled(), renewed)
      .when(logIn(later('a')))
      .then(refused('login'));
    given(offered, enabled(), renewed)
      .when(logIn(later('c')))
      .then(used({ fingerprint: 'c' }, 0, 'another'));
  });
  it('has other backup codes in place of those that nobody has seen, when the same request comes again', () => {
    const others: TwoFactorEvent = {
      type: 'BackupCodesRenewed',
      data: { userId, fingerprints: ['c'], remaining: 1, client, requestedBy: 'one' },
    };
    const first = enabled(step, { requestedBy: 'one' });
    const again: TwoFactorCommand = { type: 'Enable', given: code(), fingerprints: ['c'] };
    given(offered, first).when(again).then(others);
    given(offered, enabled(), others).when(renew()).then(others);
  });
  it('is turned off by a code or a backup code, and only when it is on', () => {
    given(offered, enabled()).when(disable()).then(disabled());
    given(offered, enabled())
      .when(disable(backup('a')))
      .then(disabled());
    given(offered, enabled()).when(disable(wrong)).then(refused('disable'));
    given(offered, enabled(), disabled()).when(disable()).thenNothing();
    for (const command of [disable(), renew(), logIn()]) {
      given().when(command).thenRefused('CONFLICT');
      given(offered).when(command).thenRefused('CONFLICT');
      given(offered, enabled(), disabled('another')).when(command).thenRefused('CONFLICT');
    }
  });
  it('looks at no code after ten wrong ones in a quarter of an hour, whatever they were given for', () => {
    const nine = Array.from({ length: 9 }, (_, index) =>
      refused(index < 5 ? 'disable' : 'login', at - 900_000 + 1 + index),
    );
    given(offered, enabled(), ...nine)
      .when(logIn())
      .then(used({ step }));
    const ten = [...nine, refused('login', at - 1)];
    for (const command of [logIn(), logIn(backup('a')), disable(), renew()])
      given(offered, enabled(), ...ten)
        .when(command)
        .thenRefused('RATE_LIMITED');
    const later = code({ at: at + 1 });
    given(offered, enabled(), ...ten)
      .when(logIn(later))
      .then(used({ step }));
  });
  it('decides nothing when a code is not what was foreseen', () => {
    const foreseen = (isRight: boolean, by = code()) => logIn({ ...by, foreseen: isRight });
    given(offered, enabled()).when(foreseen(true)).then(used({ step }));
    given(offered, enabled()).when(foreseen(false, wrong)).then(refused('login'));
    const overtaken = given(offered, enabled(), used({ step }, 2, 'another'));
    expect(() => overtaken.when(foreseen(true)).thenNothing()).toThrow(Overtaken);
    expect(() => given(offered, enabled()).when(foreseen(false)).thenNothing()).toThrow(Overtaken);
  });
  it('remembers wrong codes beyond being turned off and on', () => {
    const ten = Array.from({ length: 10 }, () => refused('login'));
    given(offered, enabled(), ...ten, disabled(), offered)
      .when(enable())
      .thenRefused('RATE_LIMITED');
  });
});
