import { createSecretKey, randomUUID } from 'node:crypto';
import {
  ReadCredentialGeneration,
  ResolveCredential,
  apiKeyCredentialKey,
  cacheTrustMs,
  credentialTtlMs,
  organizationEpochKey,
  revokedApiKeyKey,
  revokedSessionKey,
  sessionCredentialKey,
  type AnswerOf,
  type BodyOf,
  type CachedCredential,
  type OperationRequest,
  type TokenClaims,
} from '@messaging-gateway/contracts';
import type { OperationBus } from '@messaging-gateway/messaging';
import type { Cache, Clock, Logger, Seals } from '@messaging-gateway/runtime';
import { every, type Job } from '@messaging-gateway/service';
import jwt from 'jsonwebtoken';
import { addressCheck } from './address-block.ts';

/** A session or an API key, as identity is asked for it. */
export type CredentialClaim = BodyOf<typeof ResolveCredential>;

/** A credential as its caller, ready for the checks of every request. */
export interface Credential {
  readonly resolved: CachedCredential['credential'];
  /** Absent: from everywhere. */
  readonly admits?: (address: string) => boolean;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

export interface Resolved {
  /** Absent: unknown, revoked or expired. */
  readonly credential?: Credential;
  /** The value of the further key that was read along. */
  readonly along?: string | undefined;
}

/** The request that the credential came with. */
type Asking = Pick<OperationRequest, 'requestId' | 'traceparent'>;

export interface CredentialOptions {
  readonly bus: OperationBus;
  readonly cache: Cache;
  readonly trust: Pick<CacheTrust, 'generation'>;
  /** Entries of the cache are sealed: whoever can write there is nobody by that. */
  readonly seals: Seals;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * State of the cache before identity was asked: an answer is kept, and is believed later, only while all of it still
 * holds.
 */
type Held = Omit<CachedCredential, 'credential'>;

/** An entry of the cache, beside its seal. One that somebody has put back does not hold for longer than before. */
interface SealedEntry extends CachedCredential {
  /** Milliseconds since 1970. */
  readonly until: number;
}

interface Parsed {
  readonly entry: SealedEntry;
  readonly credential: Credential;
}

/** Organizations of API keys seen before, so that one look at the cache tells everything. They never change. */
const rememberedKeys = 10_000;
const parsedEntries = 5000;

/** Resolves credentials: from the cache as long as nothing overrules it, else from identity. */
export class Credentials {
  readonly #options: CredentialOptions;
  #warnedAt = 0;
  readonly #organizations = new Map<string, string>();
  readonly #parsed = new Map<string, Parsed>();

  constructor(options: CredentialOptions) {
    this.#options = options;
  }

  /**
   * @param along a further cache key of the organization to read in the same go
   * @throws Refused SERVICE_UNAVAILABLE when the cache does not know it and identity does not answer
   */
  async resolve(claim: CredentialClaim, asking: Asking, along: (organizationId: string) => string): Promise<Resolved> {
    const keys = keysOf(claim);
    const before = this.#standing();
    const organizationId = claim.kind === 'session' ? claim.organizationId : this.#organizations.get(keys.cached);
    const known = organizationId === undefined ? [] : [organizationEpochKey(organizationId), along(organizationId)];
    const [cached, revoked, epoch, alongValue] = await this.#read([keys.cached, keys.revoked, ...known]);
    if (revoked !== undefined) return {};
    if (cached !== undefined) {
      const { entry, credential } = this.#parse(keys.cached, cached) ?? {};
      if (entry !== undefined) {
        this.#remember(keys.cached, entry.credential.organizationId);
        const current =
          known.length > 0 ? epoch : (await this.#read([organizationEpochKey(entry.credential.organizationId)]))[0];
        if (entry.epoch === (current ?? null) && this.#stands(entry)) return { credential, along: alongValue };
      }
    }
    const held = organizationId === undefined || before === undefined ? undefined : { ...before, epoch: epoch ?? null };
    return { ...(await this.#ask(claim, asking, keys.cached, held)), along: alongValue };
  }

  /** Undefined: not known now, so that nothing that is cached can be believed. */
  #standing(): Omit<Held, 'epoch'> | undefined {
    const generation = this.#options.trust.generation();
    const incarnation = this.#options.cache.incarnation();
    return generation === undefined || incarnation === undefined ? undefined : { generation, incarnation };
  }

  #stands({ generation, incarnation, until }: SealedEntry): boolean {
    const now = this.#standing();
    const isSame = generation === now?.generation && incarnation === now.incarnation;
    return isSame && this.#options.clock.now() < until;
  }

  async #ask(
    claim: CredentialClaim,
    { requestId, traceparent }: Asking,
    cachedKey: string,
    held: Held | undefined,
  ): Promise<Resolved> {
    const { bus, cache, clock } = this.#options;
    const deadline = clock.now() + (ResolveCredential.timeoutMs ?? 10_000);
    const request: OperationRequest = {
      requestId,
      params: {},
      query: {},
      body: claim,
      resourceId: requestId,
      deadline,
      ...(traceparent !== undefined && { traceparent }),
    };
    const reply = await bus.request(ResolveCredential.name, request);
    const { credential } = reply.body as AnswerOf<typeof ResolveCredential>;
    if (credential === null) return {};
    this.#remember(cachedKey, credential.organizationId);
    // Without what held before the question, nothing tells whether the answer is still true: it is not kept.
    if (held === undefined) return { credential: credentialOf(credential) };
    const entry: SealedEntry = { credential, ...held, until: clock.now() + credentialTtlMs };
    const seal = this.#options.seals.of(cachedKey, JSON.stringify(entry));
    const json = JSON.stringify({ ...entry, seal });
    await cache.set(cachedKey, json, credentialTtlMs).catch((error: unknown) => this.#cacheIsAway(error));
    return { credential: credentialOf(credential) };
  }

  async #read(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
    try {
      return await this.#options.cache.getMany(keys);
    } catch (error) {
      this.#cacheIsAway(error);
      return [];
    }
  }

  #cacheIsAway(error: unknown): void {
    if (this.#options.clock.now() - this.#warnedAt < 10_000) return;
    this.#warnedAt = this.#options.clock.now();
    this.#options.log.warn('the cache is not there: identity is asked for every credential', { reason: String(error) });
  }

  #remember(cachedKey: string, organizationId: string): void {
    if (this.#organizations.size >= rememberedKeys) this.#organizations.clear();
    this.#organizations.set(cachedKey, organizationId);
  }

  /** Undefined for what no gateway has put under this key. */
  #parse(cachedKey: string, json: string): Parsed | undefined {
    const place = `${cachedKey} ${json}`;
    const known = this.#parsed.get(place);
    if (known !== undefined) return known;
    const entry = this.#opened(cachedKey, json);
    if (entry === undefined) return undefined;
    const parsed = { entry, credential: credentialOf(entry.credential) };
    if (this.#parsed.size >= parsedEntries) this.#parsed.clear();
    this.#parsed.set(place, parsed);
    return parsed;
  }

  #opened(cachedKey: string, json: string): SealedEntry | undefined {
    try {
      const { seal, ...entry } = JSON.parse(json) as SealedEntry & { seal?: unknown };
      return this.#options.seals.stateOf(cachedKey, JSON.stringify(entry), seal) === 'holds' ? entry : undefined;
    } catch {
      return undefined;
    }
  }
}

function keysOf(claim: CredentialClaim): { cached: string; revoked: string } {
  return claim.kind === 'session'
    ? { cached: sessionCredentialKey(claim.sessionId), revoked: revokedSessionKey(claim.sessionId) }
    : { cached: apiKeyCredentialKey(claim.hash), revoked: revokedApiKeyKey(claim.hash) };
}

function credentialOf(resolved: CachedCredential['credential']): Credential {
  return {
    resolved,
    ...(resolved.allowedCidrs !== undefined && { admits: addressCheck(resolved.allowedCidrs) }),
    ...(resolved.expiresAt !== undefined && { expiresAt: Date.parse(resolved.expiresAt) }),
  };
}

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

const askEveryMs = 1000;

export interface CacheTrustOptions {
  readonly bus: OperationBus;
  readonly clock: Clock;
}

/**
 * Whether cached credentials can be gone by. Identity overrules them with marks in the cache; where it cannot write one
 * (it has lost Redis, this gateway has not) it takes a new generation and waits until no gateway trusts the old one.
 * So a generation holds here for `cacheTrustMs` after the question that brought it, on the clock that never jumps.
 *
 * @see docs/decisions/0281-revocations-without-a-mark.md
 */
export class CacheTrust {
  readonly #options: CacheTrustOptions;
  #generation: string | undefined;
  #until = -Infinity;
  readonly asking: Job = every(askEveryMs, 'trust in cached credentials', () => this.#ask(), { first: 'awaited' });

  constructor(options: CacheTrustOptions) {
    this.#options = options;
  }

  /** Undefined: every credential must be asked for. */
  generation(): string | undefined {
    return performance.now() < this.#until ? this.#generation : undefined;
  }

  async #ask(): Promise<void> {
    const { bus, clock } = this.#options;
    const begun = performance.now();
    const id = randomUUID();
    const deadline = clock.now() + (ReadCredentialGeneration.timeoutMs ?? askEveryMs);
    const request = { requestId: id, resourceId: id, params: {}, query: {}, body: {}, deadline };
    try {
      const { body } = await bus.request(ReadCredentialGeneration.name, request);
      this.#generation = (body as AnswerOf<typeof ReadCredentialGeneration>).generation;
      this.#until = begun + cacheTrustMs;
    } catch {
      // Whoever needs identity sees that it is away; until it answers again nothing cached is trusted for long.
    }
  }
}
