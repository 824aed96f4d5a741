import { createSecretKey, randomUUID } from 'node:crypto';
import type { Clock } from '@messaging-gateway/runtime';
import jwt from 'jsonwebtoken';
import type { IdentitySettings } from '../config.ts';
import type { RefreshGrant } from './session.ts';

/** Whose tokens they are. */
export interface TokenOwner {
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

/** Signs and reads tokens: JWS compact, HS256, keyed with the UTF-8 bytes of the secrets (api-decisions §2). */
export interface Tokens {
  /** What the next refresh token will be. */
  nextGrant(): RefreshGrant;
  /** Until when a session with this refresh token can live without another refresh. ISO 8601. */
  sessionEnd(grant: RefreshGrant): string;
  pair(owner: TokenOwner, grant: RefreshGrant): TokenAnswer;
  /** Undefined when the token is not ours, not a refresh token, or expired. */
  readRefresh(token: string): PresentedToken | undefined;
}

const seconds = (time: number | string): number => Math.floor(new Date(time).getTime() / 1000);

export function tokens(settings: IdentitySettings, clock: Clock): Tokens {
  const accessKey = createSecretKey(settings.jwtSecret, 'utf8');
  const refreshKey = createSecretKey(settings.jwtRefreshSecret, 'utf8');
  const expiresIn = Math.floor(settings.jwtExpiresIn / 1000);
  const sign = (claims: object, key: typeof accessKey): string => jwt.sign(claims, key, { algorithm: 'HS256' });

  return {
    nextGrant: () => ({
      refreshId: randomUUID(),
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
      try {
        const claims = jwt.verify(token, refreshKey, {
          algorithms: ['HS256'],
          clockTimestamp: seconds(clock.now()),
        }) as Record<string, unknown>;
        const { sub, sid, org, typ, jti } = claims as Record<string, string | undefined>;
        if (typ !== 'refresh' || sub === undefined || sid === undefined || org === undefined || jti === undefined)
          return undefined;
        return { userId: sub, sessionId: sid, organizationId: org, refreshId: jti };
      } catch {
        return undefined;
      }
    },
  };
}
