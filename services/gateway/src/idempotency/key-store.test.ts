import { randomUUID, createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, testClock } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import fc from 'fast-check';
import pg from 'pg';
import { KeyStore, type Claim } from './key-store.ts';
import { prepareSchema } from './schema.ts';
import { answerSeal } from './sealed-answer.ts';

let database: TestDatabase;
let pool: pg.Pool;
const clock = testClock();
const open = (secret = 'one secret'): KeyStore => new KeyStore({ database: pool, clock, log: silentLogger, seal: answerSeal(secret) });
const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => undefined); // the database is dropped while its connections still close
  await Promise.all([prepareSchema(pool), prepareSchema(pool)]);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** What may happen to a key, and what the store must then say: a model of a few lines. */
type Step = 'ask' | 'ask otherwise' | 'settle' | 'fail' | 'refuse' | 'crash' | 'expire';
const steps: readonly Step[] = ['ask', 'ask otherwise', 'settle', 'fail', 'refuse', 'crash', 'expire'];

describe('the store of keys', () => {
  it('never lets two carry out the same request, nor changes its resource, whatever happens', async () => {
    const store = open();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 12 }), async (taken) => {
        const key = hash(randomUUID());
        let claim: Claim | undefined;
        let expected: { resourceId: string; unsettled: boolean; answered: boolean } | undefined;
        for (const step of taken) {
          if (step === 'ask') {
            const found = await store.claim(key, hash('body'), randomUUID());
            if (expected?.answered === true) expect(found.outcome).toBe('answered');
            else if (claim !== undefined) expect(found.outcome).toBe('running');
            else {
              if (found.outcome !== 'claimed') throw new Error(`expected a claim, got ${found.outcome}`);
              ({ claim } = found);
              if (expected !== undefined) expect(claim).toMatchObject({ resourceId: expected.resourceId, repeated: expected.unsettled });
              expected ??= { resourceId: claim.resourceId, unsettled: false, answered: false };
            }
          } else if (step === 'ask otherwise') {
            if (expected !== undefined) expect((await store.claim(key, hash('other'), randomUUID())).outcome).toBe('mismatch');
          } else if (step === 'expire') {
            clock.advance(86_400_001);
            [claim, expected] = [undefined, undefined];
          } else if (claim !== undefined && expected !== undefined) {
            if (step === 'settle') await store.settle(claim, { status: 201, headers: {}, json: '{}' });
            if (step === 'fail' || step === 'refuse') await store.release(claim, step === 'fail');
            if (step === 'crash') await pool.query('update gateway.idempotency_keys set lease_until = now() where key_hash = $1', [key]);
            expected = { ...expected, answered: step === 'settle', unsettled: expected.unsettled || step === 'fail' || step === 'crash' };
            claim = undefined;
          }
        }
      }),
      { numRuns: 60 },
    );
    store.stop();
  });

  it('does not note the end of an attempt that somebody else took over', async () => {
    const store = open();
    const key = hash(randomUUID());
    const first = await store.claim(key, hash('body'), randomUUID());
    await store.releaseAll();
    const second = await store.claim(key, hash('body'), randomUUID());
    if (first.outcome !== 'claimed' || second.outcome !== 'claimed') throw new Error('both should have been claimed');
    await store.settle(first.claim, { status: 201, headers: {}, json: '"late"' });
    expect((await store.claim(key, hash('body'), randomUUID())).outcome).toBe('running');
    await store.settle(second.claim, { status: 201, headers: {}, json: '"second"' });
    expect(await store.claim(key, hash('body'), randomUUID())).toMatchObject({ answer: { json: '"second"' } });
    store.stop();
  });

  it('goes on with the resource when the answer can no longer be read', async () => {
    const [store, rotated] = [open(), open('another secret')];
    const key = hash(randomUUID());
    const first = await store.claim(key, hash('body'), randomUUID());
    if (first.outcome !== 'claimed') throw new Error('should have been claimed');
    await store.settle(first.claim, { status: 201, headers: {}, json: '{}' });
    expect(await rotated.claim(key, hash('body'), randomUUID())).toMatchObject({
      outcome: 'claimed', claim: { resourceId: first.claim.resourceId, repeated: true },
    });
    store.stop();
    rotated.stop();
  });

  it('removes what has expired', async () => {
    const store = open();
    await store.claim(hash(randomUUID()), hash('body'), randomUUID());
    clock.advance(86_400_001);
    await store.cleanUp();
    expect((await pool.query('select 1 from gateway.idempotency_keys')).rowCount).toBe(0);
    store.stop();
  });
});
