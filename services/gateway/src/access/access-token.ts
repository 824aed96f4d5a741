import { createSecretKey } from 'node:crypto';
import type { TokenClaims } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import jwt from 'jsonwebtoken';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const rememberedTokens = 5000;

/** The claims of an access token, or undefined when it is not one that we signed and that still holds. */
export type ReadAccessToken = (token: string) => TokenClaims | undefined;

/**
 * Reads JWS compact, HS256 and nothing else, keyed with the secret's UTF-8 bytes.
 * A signature that was found good stays good, so it is checked once; the end is checked every time.
 */
export function accessTokenReader(secret: string, clock: Clock): ReadAccessToken {
  const key = createSecretKey(Buffer.from(secret, 'utf8'));
  const good = new Map<string, TokenClaims>();
  return (token) => {
    const seconds = Math.floor(clock.now() / 1000);
    const known = good.get(token);
    if (known !== undefined) return known.exp > seconds ? known : undefined;
    try {
      const claims: unknown = jwt.verify(token, key, { algorithms: ['HS256'], clockTimestamp: seconds });
      if (!isAccess(claims)) return undefined;
      if (good.size >= rememberedTokens) good.clear();
      good.set(token, claims);
      return claims;
    } catch {
      return undefined;
    }
  };
}

function isAccess(claims: unknown): claims is TokenClaims {
  const { typ, sub, sid, org, exp } = claims as Partial<Record<keyof TokenClaims, unknown>>;
  return (
    typ === 'access' &&
    [sub, sid, org].every((id) => typeof id === 'string' && uuid.test(id)) &&
    typeof exp === 'number'
  );
}
