import { randomUUID } from 'node:crypto';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { every, type Job } from '@messaging-gateway/service';
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

  /** Ends all leases: whoever held them is known to be dead, for nobody but this process uses the database. */
  async releaseAll(): Promise<void> {
    await this.#options.database.query(releaseEveryKey);
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
  insert into gateway.idempotency_keys as held (key_hash, fingerprint, resource_id, claim, lease_until, expires_at)
  values ($1, $2, $3, $4, ${lease}, $6)
  on conflict (key_hash) do update set
    fingerprint = excluded.fingerprint,
    resource_id = case when held.expires_at <= $5 then excluded.resource_id else held.resource_id end,
    unsettled = case when held.expires_at <= $5 then false else held.unsettled or held.claim is not null end,
    expires_at = case when held.expires_at <= $5 then excluded.expires_at else held.expires_at end,
    claim = excluded.claim, lease_until = excluded.lease_until, status = null, answer = null
  where held.expires_at <= $5
    or (held.fingerprint = excluded.fingerprint and held.status is null and (held.claim is null or held.lease_until <= now()))
  returning resource_id, unsettled`;
const readKey = 'select fingerprint, status, answer from gateway.idempotency_keys where key_hash = $1';
const reopenKey =
  'update gateway.idempotency_keys set status = null, answer = null, claim = null, unsettled = true where key_hash = $1 and answer = $2';
const settleKey = `
  update gateway.idempotency_keys set status = $3, answer = $4, claim = null, lease_until = null
  where key_hash = $1 and claim = $2`;
const releaseKey = `
  update gateway.idempotency_keys set claim = null, lease_until = null, unsettled = unsettled or $3
  where key_hash = $1 and claim = $2`;
const releaseEveryKey = `update gateway.idempotency_keys set lease_until = now() where claim is not null`;
const renewKeys = `
  update gateway.idempotency_keys set lease_until = ${lease}
  where key_hash = any($2::bytea[]) and claim = any($1::uuid[])`;
const removeExpired = `
  delete from gateway.idempotency_keys where key_hash in
  (select key_hash from gateway.idempotency_keys where expires_at <= $1 limit 1000)`;
