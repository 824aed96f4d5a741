import { createHash } from 'node:crypto';
import {
  keyLimitWords,
  sessionHeader,
  type Access,
  type Caller,
  type KeyLimit,
  type Operation,
  type TokenClaims,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { Request, Response } from 'express';
import { bearsSessionHeader, tokenInCookie } from '../browser-session/session-cookies.ts';
import type { RecentMarks } from '../dispatch/dispatcher.ts';
import { addressOf, stateOf, userAgentOf, type RequestState } from '../request/request-state.ts';
import type { Credential, CredentialClaim, Credentials, ReadAccessToken } from './credentials.ts';

const keyForm = /^gw_[\w-]{43}$/;

export interface AuthenticationOptions {
  readonly credentials: Credentials;
  readonly readToken: ReadAccessToken;
  readonly marks: RecentMarks;
  readonly clock: Clock;
  /** Of pages that may write with the session of a browser, beside those of the gateway itself. */
  readonly origins: readonly string[];
}

/** Notes the caller in the request's state. @throws Refused UNAUTHORIZED, or FORBIDDEN with a temporary password */
export type Authenticate = (request: Request, response: Response) => Promise<void>;

/** Finds out who asks, on routes that are not public. Everything that is wrong with a credential is the same 401. */
export function authentication({ credentials, marks, clock, ...reading }: AuthenticationOptions): Authenticate {
  return async (request, response) => {
    const state = stateOf(response);
    const claim = claimOf(request, reading);
    const { credential, along } = await credentials.resolve(claim, state, marks.key);
    const held = holding(credential, claim, addressOf(request), clock.now());
    const { resolved } = held;
    state.caller = callerOf(request, held);
    state.limits = limitsOf(resolved);
    state.credential = resolved.apiKeyId ?? resolved.sessionId ?? resolved.userId;
    state.marks = marks.recent(resolved.organizationId, along);
    if (resolved.mustChangePassword === true && state.operation?.beforePasswordChange !== true) {
      throw new Refused('FORBIDDEN', 'The temporary password must be changed first: POST /auth/change-password.');
    }
  };
}

type Reading = Pick<AuthenticationOptions, 'readToken' | 'origins'>;

function claimOf(request: Request, reading: Reading): CredentialClaim {
  const { authorization, 'x-api-key': key } = request.headers;
  if (authorization !== undefined) {
    const claims = /^bearer /i.test(authorization) ? reading.readToken(authorization.slice(7).trim()) : undefined;
    if (claims === undefined) throw unauthorized();
    return sessionOf(claims);
  }
  if (key === undefined) return claimOfCookie(request, reading);
  if (typeof key !== 'string' || !keyForm.test(key)) throw unauthorized();
  return { kind: 'api-key', hash: createHash('sha256').update(key).digest('hex') };
}

/**
 * The session of a browser, where nothing else says who it is. Pages of other ports of this host, which browsers send the cookie for,
 * can have it read, but see no answer; they cannot have anything written.
 */
function claimOfCookie(request: Request, { readToken, origins }: Reading): CredentialClaim {
  const claims = readToken(tokenInCookie(request, 'access') ?? '');
  if (claims === undefined) throw unauthorized();
  if (!reads.has(request.method) && !(bearsSessionHeader(request) && comesFromOurPage(request, origins)))
    throw new Refused(
      'UNAUTHORIZED',
      `A cookie counts for this only with the header ${sessionHeader}: 1, from this origin or one of CORS_ORIGINS.`,
    );
  return sessionOf(claims);
}

/** By what the browser says, where it says so: to anything but localhost it does over TLS only. */
const comesFromOurPage = ({ headers }: Request, origins: readonly string[]): boolean =>
  ['same-origin', undefined].includes(headers['sec-fetch-site']) || origins.includes(headers.origin ?? '');

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const sessionOf = ({ sid, sub, org }: TokenClaims): CredentialClaim => ({
  kind: 'session',
  sessionId: sid,
  userId: sub,
  organizationId: org,
});

function holding(credential: Credential | undefined, claim: CredentialClaim, address: string, now: number): Credential {
  if (credential === undefined) throw unauthorized();
  const { resolved, expiresAt, admits } = credential;
  const isOther =
    claim.kind === 'session' && (resolved.userId !== claim.userId || resolved.organizationId !== claim.organizationId);
  const isOver = expiresAt !== undefined && expiresAt <= now;
  if (isOther || isOver || (admits !== undefined && !admits(address))) throw unauthorized();
  return credential;
}

function callerOf(request: Request, { resolved }: Credential): Caller {
  const { organizationId, userId, apiKeyId, sessionId, permissions, profileIds } = resolved;
  const userAgent = userAgentOf(request);
  return {
    organizationId,
    userId,
    ...(apiKeyId !== undefined && { apiKeyId }),
    ...(sessionId !== undefined && { sessionId }),
    permissions,
    ...(profileIds !== undefined && { profileIds }),
    ip: addressOf(request),
    ...(userAgent !== undefined && { userAgent }),
  };
}

function limitsOf(resolved: Credential['resolved']): readonly KeyLimit[] {
  if (resolved.apiKeyId === undefined) return [];
  const { limitedPermissions, profileIds, allowedCidrs, expiresAt } = resolved;
  return [
    ...(limitedPermissions === true ? (['permissions'] as const) : []),
    ...(profileIds === undefined ? [] : (['profiles'] as const)),
    ...(allowedCidrs === undefined ? [] : (['addresses'] as const)),
    ...(expiresAt === undefined ? [] : (['time'] as const)),
  ];
}

const unauthorized = (): Refused =>
  new Refused('UNAUTHORIZED', 'The credential is missing, wrong, expired or revoked.');

/**
 * Checks that the caller may do this operation: its permission, or that it is a person where keys are refused, and that
 * the limits of its key allow it.
 *
 * @throws Refused FORBIDDEN
 */
export function authorize(
  { access, refusesKeysLimitedIn = [] }: Operation,
  { caller, limits = [] }: RequestState,
): void {
  assertPermitted(access, caller);
  const limit = refusesKeysLimitedIn.find((refused) => limits.includes(refused));
  if (limit === undefined) return;
  throw new Refused(
    'FORBIDDEN',
    `This API key is limited ${keyLimitWords[limit]}, which this would go beyond: sign in, or use a key that is not.`,
  );
}

function assertPermitted(access: Access, caller: Caller | undefined): void {
  if (access === 'public' || access === 'own') return;
  if (access === 'own:write') {
    if (caller?.apiKeyId !== undefined) throw new Refused('FORBIDDEN', 'An API key cannot do this: sign in.');
  } else if (caller?.permissions.includes(access) !== true) {
    throw new Refused('FORBIDDEN', `This needs the permission ${access}.`);
  }
}
