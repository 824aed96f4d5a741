import { createHmac, createSecretKey, randomUUID, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Clock } from '@messaging-gateway/runtime';
import jwt from 'jsonwebtoken';
import { v7 } from 'uuid';
import type { IdentitySettings } from '../config.ts';
import type { RefreshGrant } from './session.ts';

/** Owner of a pair of tokens. */
interface TokenOwner {
  readonly userId: string;
  readonly sessionId: string;
  readonly organizationId: string;
}

/** A refresh token that somebody has presented. */
export interface PresentedToken extends TokenOwner {
  readonly refreshId: string;
}

export interface TokenAnswer {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** Signs and reads tokens: JWS compact, HS256, keyed with the UTF-8 bytes of the secrets. */
export interface Tokens {
  /** The next refresh token. @param refreshId the request that is answered with it */
  nextGrant(refreshId: string): RefreshGrant;
  /** Until when a session with this refresh token can live without another refresh. ISO 8601. */
  sessionEnd(grant: RefreshGrant): string;
  pair(owner: TokenOwner, grant: RefreshGrant): TokenAnswer;
  /** Undefined when the token is not ours, not a refresh token, or expired. */
  readRefresh(token: string): PresentedToken | undefined;
  /** For somebody who has given the right password and must give a code now; good for nothing else. */
  challenge(challenged: Challenged): string;
  /** Undefined when the token is not ours, not a challenge, or expired. */
  readChallenge(token: string): PresentedChallenge | undefined;
}

/** A user who has given the right password. */
interface Challenged {
  readonly userId: string;
  readonly organizationId: string;
  readonly passwordHash: string;
}

/** A challenge that somebody has presented. */
interface PresentedChallenge {
  readonly userId: string;
  readonly organizationId: string;
  /** Also the id of the one session that it can start. */
  readonly challengeId: string;
  /** Whether the password is still the one that was given. */
  isFor(passwordHash: string): boolean;
}

const challengeSeconds = 300;

const seconds = (time: number | string): number => Math.floor(new Date(time).getTime() / 1000);

export function tokens(settings: IdentitySettings, clock: Clock): Tokens {
  const accessKey = createSecretKey(settings.jwtSecret, 'utf8');
  const refreshKey = createSecretKey(settings.jwtRefreshSecret, 'utf8');
  const expiresIn = Math.floor(settings.jwtExpiresIn / 1000);
  const sign = (claims: object, key: KeyObject): string => jwt.sign(claims, key, { algorithm: 'HS256' });
  const read = (token: string, key: KeyObject, typ: string) => claimsOf(token, key, typ, seconds(clock.now()));
  const passwordMark = (hash: string) => createHmac('sha256', accessKey).update(`challenge ${hash}`).digest();

  return {
    nextGrant: (refreshId) => ({
      refreshId,
      issuedAt: new Date(clock.now()).toISOString(),
      expiresAt: new Date(clock.now() + settings.jwtRefreshExpiresIn).toISOString(),
    }),
    sessionEnd: (grant) =>
      new Date(Math.max(Date.parse(grant.expiresAt), Date.parse(grant.issuedAt) + settings.jwtExpiresIn)).toISOString(),
    pair: ({ userId, sessionId, organizationId }, grant) => {
      const shared = { sub: userId, sid: sessionId, org: organizationId };
      const now = seconds(clock.now());
      return {
        accessToken: sign({ ...shared, typ: 'access', jti: randomUUID(), iat: now, exp: now + expiresIn }, accessKey),
        refreshToken: sign(
          {
            ...shared,
            typ: 'refresh',
            jti: grant.refreshId,
            iat: seconds(grant.issuedAt),
            exp: seconds(grant.expiresAt),
          },
          refreshKey,
        ),
        expiresIn,
      };
    },
    readRefresh: (token) => {
      const { sub, sid, org, jti } = read(token, refreshKey, 'refresh') ?? {};
      if (sub === undefined || sid === undefined || org === undefined || jti === undefined) return undefined;
      return { userId: sub, sessionId: sid, organizationId: org, refreshId: jti };
    },
    challenge: ({ userId: sub, organizationId: org, passwordHash }) => {
      const iat = seconds(clock.now());
      const pwd = passwordMark(passwordHash).toString('base64url');
      const jti = v7({ msecs: clock.now() });
      return sign({ sub, org, typ: 'challenge', jti, pwd, iat, exp: iat + challengeSeconds }, accessKey);
    },
    readChallenge: (token) => {
      const { sub, org, jti, pwd } = read(token, accessKey, 'challenge') ?? {};
      if (sub === undefined || org === undefined || jti === undefined || pwd === undefined) return undefined;
      const given = Buffer.from(pwd, 'base64url');
      const isFor = (hash: string): boolean => given.length === 32 && timingSafeEqual(given, passwordMark(hash));
      return { userId: sub, organizationId: org, challengeId: jti, isFor };
    },
  };
}

/** Claims of a token of one kind that we signed and that holds now; those that are no text are left out. */
function claimsOf(
  token: string,
  key: KeyObject,
  typ: string,
  now: number,
): Readonly<Record<string, string | undefined>> | undefined {
  try {
    const claims: unknown = jwt.verify(token, key, { algorithms: ['HS256'], clockTimestamp: now });
    if (typeof claims !== 'object' || claims === null) return undefined;
    const { exp } = claims as { exp?: unknown };
    const texts = Object.entries(claims).filter(([, value]) => typeof value === 'string') as [string, string][];
    const found: Record<string, string> = Object.fromEntries(texts);
    return found['typ'] === typ && typeof exp === 'number' ? found : undefined;
  } catch {
    return undefined;
  }
}
