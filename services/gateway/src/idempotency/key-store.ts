import { randomUUID } from 'node:crypto';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { every, whileSlow, type Job } from '@messaging-gateway/service';
import type { Pool } from 'pg';
import type { KeptAnswer, Seal } from './sealed-answer.ts';

/** The right to carry out the request of a key: until it is settled, released, or its lease has run out. */
export interface Claim {
  readonly keyHash: Buffer;
  readonly id: string;
  /** Id of the resource, the same for every repeat. */
  readonly resourceId: string;
  /** An earlier attempt may have had an effect: its answer is not known. */
  readonly repeated: boolean;
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly claim: Claim }
  | { readonly outcome: 'answered'; readonly answer: KeptAnswer }
  | { readonly outcome: 'running' }
  | { readonly outcome: 'mismatch' };

export interface KeyStoreOptions {
  readonly database: Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly seal: Seal;
}

const keptMs = 86_400_000;
const leaseSeconds = 9;
const renewEveryMs = 3000;

interface Held {
  readonly fingerprint: Buffer;
  readonly status: number | null;
  readonly answer: Buffer | null;
}

/**
 * Idempotency keys in PostgreSQL, kept for 24 hours. A key is claimed before its request is dispatched. The claim's
 * lease is 9 s of the database's time and is renewed while the request runs, so a claim whose process died runs out.
 */
export class KeyStore {
  readonly #options: KeyStoreOptions;
  readonly #running = new Map<string, Claim>();
  /** Removes expired keys. */
  readonly upkeep: Job = every('10m', 'old idempotency keys', () => this.cleanUp(), { first: '10m' });
  readonly #renewing: NodeJS.Timeout;

  constructor(options: KeyStoreOptions) {
    this.#options = options;
    // Not a job: a renewal that hangs holds up no later one.
    this.#renewing = setInterval(
      () =>
        void this.#renew().catch((error: unknown) =>
          options.log.warn('Leases of idempotency keys not renewed', { reason: String(error) }),
        ),
      renewEveryMs,
    ).unref();
  }

  /** Takes the key, or says why not. One statement when the key is new. */
  async claim(keyHash: Buffer, fingerprint: Buffer, newResourceId: string): Promise<ClaimOutcome> {
    const { database, clock, seal } = this.#options;
    for (;;) {
      const id = randomUUID();
      const now = clock.now();
      const values = [keyHash, fingerprint, newResourceId, id, new Date(now), new Date(now + keptMs)];
      const [taken] = (await database.query<{ resource_id: string; unsettled: boolean }>(takeKey, values)).rows;
      if (taken !== undefined) {
        const claim = { keyHash, id, resourceId: taken.resource_id, repeated: taken.unsettled };
        this.#running.set(id, claim);
        return { outcome: 'claimed', claim };
      }
      const [held] = (await database.query<Held>(readKey, [keyHash])).rows;
      if (held === undefined) continue; // it expired and was cleaned up in between
      if (!held.fingerprint.equals(fingerprint)) return { outcome: 'mismatch' };
      if (held.status === null || held.answer === null) return { outcome: 'running' };
      const answer = seal.open(held.answer);
      if (answer !== undefined) return { outcome: 'answered', answer };
      await database.query(reopenKey, [keyHash, held.answer]); // sealed before the secret was changed: its resource tells the rest
    }
  }

  /** Keeps the answer for repeats. */
  async settle(claim: Claim, answer: KeptAnswer): Promise<void> {
    this.#running.delete(claim.id);
    await this.#options.database.query(settleKey, [
      claim.keyHash,
      claim.id,
      answer.status,
      this.#options.seal.close(answer),
    ]);
  }

  /** Lets the next repeat carry it out again. @param unsettled this attempt may have had an effect */
  async release(claim: Claim, unsettled: boolean): Promise<void> {
    this.#running.delete(claim.id);
    await this.#options.database.query(releaseKey, [claim.keyHash, claim.id, unsettled]);
  }

  /** Ends all leases: whoever held them is known to be dead, for nobody but this process uses the database. @param signal ends the wait for one that is slow */
  async releaseAll(signal?: AbortSignal): Promise<void> {
    const { database, log } = this.#options;
    await whileSlow(() => database.query(releaseEveryKey), { what: 'PostgreSQL', log, signal });
  }

  /** Removes expired keys, a thousand at a time. */
  async cleanUp(): Promise<void> {
    for (;;) {
      const removed = await this.#options.database.query(removeExpired, [new Date(this.#options.clock.now())]);
      if ((removed.rowCount ?? 0) < 1000) return;
    }
  }

  stop(): void {
    clearInterval(this.#renewing);
  }

  async #renew(): Promise<void> {
    if (this.#running.size > 0)
      await this.#options.database.query(renewKeys, [
        [...this.#running.keys()],
        [...this.#running.values()].map(({ keyHash }) => keyHash),
      ]);
  }
}

const lease = `now() + interval '${leaseSeconds} seconds'`;

const takeKey = `
  INSERT INTO gateway.idempotency_keys AS held (key_hash, fingerprint, resource_id, claim, lease_until, expires_at)
  VALUES ($1, $2, $3, $4, ${lease}, $6)
  ON CONFLICT (key_hash) DO UPDATE SET
    fingerprint = excluded.fingerprint,
    resource_id = CASE WHEN held.expires_at <= $5 THEN excluded.resource_id ELSE held.resource_id END,
    unsettled = CASE WHEN held.expires_at <= $5 THEN false ELSE held.unsettled OR held.claim IS NOT NULL END,
    expires_at = CASE WHEN held.expires_at <= $5 THEN excluded.expires_at ELSE held.expires_at END,
    claim = excluded.claim, lease_until = excluded.lease_until, status = NULL, answer = NULL
  WHERE held.expires_at <= $5
    OR (held.fingerprint = excluded.fingerprint AND held.status IS NULL AND (held.claim IS NULL OR held.lease_until <= now()))
  RETURNING resource_id, unsettled`;
const readKey = 'SELECT fingerprint, status, answer FROM gateway.idempotency_keys WHERE key_hash = $1';
const reopenKey =
  'UPDATE gateway.idempotency_keys SET status = NULL, answer = NULL, claim = NULL, unsettled = true WHERE key_hash = $1 AND answer = $2';
const settleKey = `
  UPDATE gateway.idempotency_keys SET status = $3, answer = $4, claim = NULL, lease_until = NULL
  WHERE key_hash = $1 AND claim = $2`;
const releaseKey = `
  UPDATE gateway.idempotency_keys SET claim = NULL, lease_until = NULL, unsettled = unsettled OR $3
  WHERE key_hash = $1 AND claim = $2`;
const releaseEveryKey = `UPDATE gateway.idempotency_keys SET lease_until = now() WHERE claim IS NOT NULL`;
const renewKeys = `
  UPDATE gateway.idempotency_keys SET lease_until = ${lease}
  WHERE key_hash = ANY($2::bytea[]) AND claim = ANY($1::uuid[])`;
const removeExpired = `
  DELETE FROM gateway.idempotency_keys WHERE key_hash IN
  (SELECT key_hash FROM gateway.idempotency_keys WHERE expires_at <= $1 LIMIT 1000)`;
