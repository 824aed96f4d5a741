import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import type { ResolvedCredential } from './internal/identity.ts';

/** An answer of `ResolveCredential` as the gateway keeps it, JSON. */
export interface CachedCredential {
  readonly credential: Static<typeof ResolvedCredential>;
  /** The organization's epoch, read before identity was asked; null while it has none. */
  readonly epoch: string | null;
  /** The generation (`ReadCredentialGeneration`) that held before identity was asked. */
  readonly generation: string;
  /** The life of the cache before identity was asked: after its restart marks may be gone, and so nothing older holds. */
  readonly incarnation: string;
}

/** A credential is asked for again after this, even if nothing was told about it. */
export const credentialTtlMs = 30_000;
/**
 * A gateway goes by cached entries for so long after it has begun to ask identity for the generation. Identity lets
 * that pass, and a little more, before it answers a revocation that it could not mark. Milliseconds of real time.
 */
export const cacheTrustMs = 5000;
/** Marks and epochs outlive every entry that they overrule, also one whose answer was still on its way. */
const overruleTtlMs = 600_000;

/** Claims of the tokens that identity signs. Access: HS256 with JWT_SECRET. Refresh: HS256 with JWT_REFRESH_SECRET. */
export interface TokenClaims {
  /** User. */
  readonly sub: string;
  /** Session. */
  readonly sid: string;
  /** Organization. */
  readonly org: string;
  readonly typ: 'access' | 'refresh';
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
  /** Refresh tokens only: which of the session's rotations this is. */
  readonly jti?: string;
}

export const sessionCredentialKey = (sessionId: string): string => `credential:session:${sessionId}`;
/** @param hash SHA-256 of the API key, hex */
export const apiKeyCredentialKey = (hash: string): string => `credential:key:${hash}`;
export const revokedSessionKey = (sessionId: string): string => `revoked:session:${sessionId}`;
export const revokedApiKeyKey = (hash: string): string => `revoked:key:${hash}`;
export const organizationEpochKey = (organizationId: string): string => `epoch:organization:${organizationId}`;

interface Writes {
  set(key: string, value: string, ttlMs: number): Promise<void>;
}

/**
 * Makes the gateway refuse a session at once. Identity calls it before its commit, so that a crash in between leaves
 * no revoked session unmarked. The mark wins over every cached entry; once it is forgotten, identity itself answers
 * that the session is gone.
 */
export const markSessionRevoked = (cache: Writes, sessionId: string): Promise<void> =>
  cache.set(revokedSessionKey(sessionId), '1', overruleTtlMs);

/** Marks an API key as revoked. @param hash SHA-256 of the API key, hex */
export const markApiKeyRevoked = (cache: Writes, hash: string): Promise<void> =>
  cache.set(revokedApiKeyKey(hash), '1', overruleTtlMs);

/**
 * Makes the gateway ask again for every credential of an organization: roles, permissions or members changed.
 * Identity calls it after its commit and before it answers. The epoch is a random word, not a counter, so that an
 * epoch that was forgotten and begun anew can't meet an old one.
 */
export const changeOrganizationEpoch = (cache: Writes, organizationId: string): Promise<void> =>
  cache.set(organizationEpochKey(organizationId), randomUUID(), overruleTtlMs);
