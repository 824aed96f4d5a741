import { randomUUID, createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, testClock } from '@messaging-gateway/runtime';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { Pool } from 'pg';
import { inTime } from '../testing/in-time.ts';
import { KeyModel, steps, type Step } from '../testing/key-model.ts';
import { KeyStore, type Claim } from './key-store.ts';
import { prepareSchema } from './schema.ts';
import { answerSeal } from './sealed-answer.ts';

let database: TestDatabase;
let pool: Pool;
const clock = testClock();
/** Opens a store that renews no leases: those of attempts that a test has ended otherwise would come back to life. */
function open(secret = 'one secret'): KeyStore {
  const store = new KeyStore({ database: pool, clock, log: silentLogger, seal: answerSeal(secret) });
  store.stop();
  return store;
}
const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

beforeAll(async () => {
  database = await testDatabase();
  pool = new Pool({ connectionString: database.url });
  pool.on('error', () => undefined); // the database is dropped while its connections still close
  const preparing = { database: pool, log: silentLogger };
  await Promise.all([prepareSchema(preparing), prepareSchema(preparing)]);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const body = hash('body');
const shorterThanLease = 5000;

/** Does to the store what the steps say. @returns what it answered, and what the model says it must answer */
async function play(store: KeyStore, taken: readonly Step[]): Promise<{ seen: unknown[]; wanted: unknown[] }> {
  const key = hash(randomUUID());
  const [seen, wanted]: [unknown[], unknown[]] = [[], []];
  let model = new KeyModel();
  const ask = async (): Promise<void> => {
    const newId = randomUUID();
    wanted.push(model.asked(newId));
    const found = await store.claim(key, body, newId);
    if (found.outcome === 'claimed') model.claim = found.claim;
    seen.push(found.outcome === 'claimed' ? pick(found.claim) : found.outcome);
  };
  for (const step of taken) {
    const { claim } = model;
    if (step === 'ask') await ask();
    if (step === 'ask otherwise' && model.isKnown) {
      seen.push((await store.claim(key, hash('other'), randomUUID())).outcome);
      wanted.push('mismatch');
    }
    if (step === 'expire') {
      clock.advance(86_400_001);
      model = new KeyModel();
    }
    if (claim === undefined || step.startsWith('ask') || step === 'expire') continue;
    if (step === 'settle') await store.settle(claim, { status: 201, headers: {}, json: '{}' });
    if (step === 'fail' || step === 'refuse') await store.release(claim, step === 'fail');
    if (step === 'crash')
      await pool.query('UPDATE gateway.idempotency_keys SET lease_until = now() WHERE key_hash = $1', [key]);
    model.ended(step);
  }
  return { seen, wanted };
}
const pick = ({ resourceId, repeated }: Claim): unknown => ({ resourceId, repeated });

describe('the store of keys', () => {
  it('never lets two carry out the same request, nor changes its resource, whatever happens', async () => {
    const store = open();
    await assert(
      asyncProperty(array(constantFrom(...steps), { maxLength: 14 }), async (taken) => {
        const { seen, wanted } = await inTime(shorterThanLease, () => play(store, taken));
        expect(seen).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
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
  });

  it('goes on with the resource when the answer can no longer be read', async () => {
    const [store, rotated] = [open(), open('another secret')];
    const key = hash(randomUUID());
    const first = await store.claim(key, hash('body'), randomUUID());
    if (first.outcome !== 'claimed') throw new Error('should have been claimed');
    await store.settle(first.claim, { status: 201, headers: {}, json: '{}' });
    expect(await rotated.claim(key, hash('body'), randomUUID())).toMatchObject({
      outcome: 'claimed',
      claim: { resourceId: first.claim.resourceId, repeated: true },
    });
  });

  it('removes what has expired', async () => {
    const store = open();
    await store.claim(hash(randomUUID()), hash('body'), randomUUID());
    clock.advance(86_400_001);
    await store.cleanUp();
    expect((await pool.query('SELECT 1 FROM gateway.idempotency_keys')).rowCount).toBe(0);
  });
});
