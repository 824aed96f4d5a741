import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { testClock } from '@messaging-gateway/runtime';
import jwt from 'jsonwebtoken';
import { settings } from '../identity.fixture.ts';
import { tokens } from './tokens.ts';

const owner = { userId: randomUUID(), sessionId: randomUUID(), organizationId: randomUUID() };
const challenged = { userId: owner.userId, organizationId: owner.organizationId, passwordHash: '$argon2id$one' };
const clock = testClock();
const ours = tokens(settings, clock);
const { accessToken, refreshToken } = ours.pair(owner, ours.nextGrant(randomUUID()));
const challengeToken = ours.challenge(challenged);

const claimsOf = (token: string): jwt.JwtPayload => jwt.decode(token) as jwt.JwtPayload;
const now = (): number => Math.floor(clock.now() / 1000);
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** Forgeries that somebody could make of a token, with the secret that it must be signed with where the name says so. */
function forgeries(token: string, secret: string): Record<string, string> {
  const claims = claimsOf(token);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const sign = (changed: object, key: jwt.Secret = secret, options: jwt.SignOptions = {}): string =>
    jwt.sign({ ...claims, ...changed }, key, { algorithm: 'HS256', ...options });
  const { exp: _, ...endless } = claims;
  const { typ: _typ, ...untyped } = claims;
  const mine = { kty: 'oct', k: Buffer.from('mine').toString('base64url') };
  return {
    'alg none': `${base64({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    'alg None': `${base64({ alg: 'None', typ: 'JWT' })}.${payload}.`,
    'alg none with the signature': `${base64({ alg: 'none' })}.${payload}.${signature}`,
    'no signature': `${header}.${payload}.`,
    HS384: sign({}, secret, { algorithm: 'HS384' }),
    HS512: sign({}, secret, { algorithm: 'HS512' }),
    RS256: sign({}, privateKey, { algorithm: 'RS256' }),
    'HS256 keyed with a public key': sign({}, publicPem),
    'RS256 in the header of an HS256': `${base64({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`,
    'a key of its own in the header': sign({}, 'mine', { header: { alg: 'HS256', jwk: mine } as jwt.JwtHeader }),
    'another secret': sign({}, `${secret}.`),
    'an empty secret': `${header}.${payload}.${base64('')}`,
    'the other secret': sign({}, secret === settings.jwtSecret ? settings.jwtRefreshSecret : settings.jwtSecret),
    'a changed payload': `${header}.${base64({ ...claims, sub: randomUUID() })}.${signature}`,
    'a changed header': `${base64({ alg: 'HS256', typ: 'JWT', kid: 'x' })}.${payload}.${signature}`,
    'a cut signature': token.slice(0, -4),
    'another type': sign({ typ: 'access' }),
    'no type': jwt.sign(untyped, secret),
    'a type that is no text': sign({ typ: [claims['typ']] }),
    'no end': jwt.sign(endless, secret),
    expired: sign({ exp: now() - 1 }),
    'ending now': sign({ exp: now() }),
    'not valid yet': sign({ nbf: now() + 3600 }),
    'no user': sign({ sub: undefined }),
    'a user that is no text': sign({ org: 1 }),
    'no id': sign({ jti: undefined }),
    empty: '',
    'too few parts': `${header}.${payload}`,
    nonsense: 'x.y.z',
  };
}
const taken = (read: (token: string) => unknown, forged: Record<string, string>): string[] =>
  Object.entries(forged).flatMap(([name, token]) => (read(token) === undefined ? [] : [name]));

describe('a refresh token', () => {
  it('is read as it was made', () => {
    const { jti: refreshId } = claimsOf(refreshToken);
    expect(ours.readRefresh(refreshToken)).toEqual({ ...owner, refreshId });
  });

  it('is refused with any fault', () => {
    const { sid: _, ...sessionless } = claimsOf(refreshToken);
    const forged = {
      ...forgeries(refreshToken, settings.jwtRefreshSecret),
      'an access token': accessToken,
      'a challenge': challengeToken,
      'no session': jwt.sign(sessionless, settings.jwtRefreshSecret),
    };
    expect(taken(ours.readRefresh, forged)).toEqual([]);
  });
});

describe('a challenge', () => {
  it('is for one user, and the password that was given', () => {
    const read = ours.readChallenge(challengeToken);
    expect(read).toMatchObject({ userId: owner.userId, organizationId: owner.organizationId });
    expect(read?.isFor(challenged.passwordHash)).toBe(true);
    expect(read?.isFor('$argon2id$two')).toBe(false);
    expect(challengeToken).not.toContain(base64(challenged.passwordHash));
  });

  it('is refused with any fault', () => {
    const forged = {
      ...forgeries(challengeToken, settings.jwtSecret),
      'an access token': accessToken,
      'a refresh token': refreshToken,
      'no password': jwt.sign({ ...claimsOf(challengeToken), pwd: undefined }, settings.jwtSecret),
    };
    expect(taken(ours.readChallenge, forged)).toEqual([]);
  });

  it('has an id of its own each time, and a mark that nothing else fits', () => {
    expect(claimsOf(ours.challenge(challenged)).jti).not.toBe(claimsOf(challengeToken).jti);
    const cut = jwt.sign({ ...claimsOf(challengeToken), pwd: '' }, settings.jwtSecret);
    expect(ours.readChallenge(cut)?.isFor(challenged.passwordHash)).not.toBe(true);
  });
});

describe('clocks', () => {
  it('of replicas may differ: a token of one that is ahead is taken, and each goes by its own for the end', () => {
    const [here, ahead] = [testClock(), testClock()];
    ahead.advance(120_000);
    const there = tokens(settings, ahead);
    const { refreshToken: early } = there.pair(owner, there.nextGrant(randomUUID()));
    const read = tokens(settings, here).readRefresh;
    expect(read(early)).toMatchObject(owner);
    here.advance(settings.jwtRefreshExpiresIn + 60_000);
    expect(read(early)).toMatchObject(owner);
    here.advance(60_000);
    expect(read(early)).toBeUndefined();
  });
});
