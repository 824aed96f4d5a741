import { createHash, randomUUID, subtle } from 'node:crypto';
import type { Operation } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Request, Response } from 'express';
import { v7 } from 'uuid';
import { errorAnswer, refusedOf } from '../request/error-answer.ts';
import { addressOf, isVisible, stateOf, type RequestState } from '../request/request-state.ts';
import type { Claim, KeyStore } from './key-store.ts';
import type { KeptAnswer } from './sealed-answer.ts';

/** Carries out a request once. @throws Refused and whatever else goes wrong */
export type CarryOut = (resourceId: string, repeated: boolean) => Promise<KeptAnswer>;

const notKept = new Set([401, 403, 409, 429]);

/** Whether repeats are given this answer: 2xx, and those 4xx that another attempt would not change. */
const isKept = (status: number): boolean => status < 300 || (status >= 400 && status < 500 && !notKept.has(status));

/** Longer answers are not kept, characters. */
const longestKept = 65_536;

/** Carries out a request; with an Idempotency-Key at most once in 24 hours. */
export class Idempotency {
  readonly #store: KeyStore;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(options: { readonly store: KeyStore; readonly clock: Clock; readonly log: Logger }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async run(operation: Operation, request: Request, response: Response, carryOut: CarryOut): Promise<KeptAnswer> {
    const key = operation.method === 'POST' ? request.headers['idempotency-key'] : undefined;
    // What a request makes, and its entry in the audit, are ordered by this id; for a read a random one is cheaper.
    const newId = operation.method === 'GET' ? randomUUID() : v7({ msecs: this.#clock.now() });
    if (key === undefined) return carryOut(newId, false);
    if (typeof key !== 'string' || !isVisible(key, 255)) {
      throw invalid([{ path: 'headers.idempotency-key', message: 'must be 1 to 255 visible characters' }]);
    }
    const state = stateOf(response);
    const keyHash = sha256(`${scopeOf(operation, request, state)}\n${key}`);
    const taken = await this.#store.claim(keyHash, await fingerprintOf(request, state), newId);
    if (taken.outcome === 'claimed') return this.#attempt(taken.claim, state.requestId, carryOut);
    if (taken.outcome === 'answered') {
      return { ...taken.answer, headers: { ...taken.answer.headers, 'Idempotency-Replayed': 'true' } };
    }
    throw taken.outcome === 'mismatch'
      ? new Refused('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used with another route or body.')
      : new Refused('IDEMPOTENCY_IN_PROGRESS', 'The first request with this Idempotency-Key is still running.');
  }

  async #attempt(claim: Claim, requestId: string, carryOut: CarryOut): Promise<KeptAnswer> {
    try {
      const answer = await carryOut(claim.resourceId, claim.repeated);
      await this.#finish(this.#end(claim, answer));
      return answer;
    } catch (error) {
      const { status, headers, body } = errorAnswer(refusedOf(error), requestId);
      await this.#finish(this.#end(claim, { status, headers, json: JSON.stringify(body) }));
      throw error;
    }
  }

  /**
   * Ends an attempt. An answer that is not kept is made anew by the next repeat. A success that is too long for keeping
   * has had its effect: a repeat goes on with the same resource, as after an answer that was lost.
   */
  #end(claim: Claim, answer: KeptAnswer): Promise<void> {
    const { status, json = '' } = answer;
    const isLong = json.length > longestKept;
    if (isKept(status) && !isLong) return this.#store.settle(claim, answer);
    return this.#store.release(claim, status >= 500 || (isLong && status < 300));
  }

  /**
   * The caller is answered even when that can't be noted: the lease runs out, and a repeat goes on with the same
   * resource.
   */
  async #finish(noted: Promise<void>): Promise<void> {
    await noted.catch((error: unknown) =>
      this.#log.warn('the end of an idempotent request was not noted', { reason: String(error) }),
    );
  }
}

/** Tenant; on routes about the caller's own data also the user; on public routes the client's address. */
function scopeOf(operation: Operation, request: Request, { caller }: RequestState): string {
  if (caller === undefined) return `address ${addressOf(request)}`;
  const own = operation.access === 'own' || operation.access === 'own:write';
  return `organization ${caller.organizationId}${own ? ` user ${caller.userId}` : ''}`;
}

/**
 * Route and body, and what the credential may do with which profiles: an answer may hold a key or a temporary password,
 * and a wider credential's is not for a narrower one.
 */
async function fingerprintOf(request: Request, { caller, fingerprint }: RequestState): Promise<Buffer> {
  const reach = canonical([caller?.profileIds, caller?.permissions.toSorted()]);
  const text = `${request.originalUrl}\n${reach}\n${canonical(fingerprint ?? request.body)}`;
  // Beside the other work when it is a large one.
  return text.length < 65_536 ? sha256(text) : Buffer.from(await subtle.digest('SHA-256', Buffer.from(text)));
}

/** JSON in which the order of fields does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  ) ?? '';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
