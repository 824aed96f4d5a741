import { applyRetention, readLine, resealSubjectKeys } from '@messaging-gateway/event-sourcing';
import { forgetDeadLetters } from '@messaging-gateway/messaging';
import { forgetHistory } from './forget-history.ts';
import type { Parts } from './lifecycle.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** First half of the advisory locks of upkeep; the second one is the schema. */
const turns = 7_260_816;

/**
 * Keeps a schema small and its keys current, once an hour beside everything else: what is older than the retention is
 * deleted, and keys sealed with a previous `ENCRYPTION_KEY` are sealed with the present one. Replicas take turns.
 *
 * @returns stops it
 */
export function startUpkeep(parts: Parts): () => Promise<void> {
  const {
    host: { clock },
    module: {
      storage: { schema },
    },
    binding: { log },
  } = parts;
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const hadTurn = await inTurn(parts, () => keepUp(parts, stopping.signal)).catch((error: unknown) => {
        log.warn('Upkeep failed', { schema, reason: String(error) });
        return true;
      });
      await clock.sleep(hadTurn ? hourMs : minuteMs, stopping.signal).catch(() => undefined);
    }
  };
  const finished = run();
  return async () => {
    stopping.abort();
    await finished;
  };
}

/** @returns false: another replica is at it */
async function inTurn({ database: { pool }, module: { storage } }: Parts, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  const key = [turns, storage.schema];
  let isDone = false;
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1::int, hashtext($2)) as taken',
      key,
    );
    if (rows[0]?.taken === true) {
      await work();
      await client.query('select pg_advisory_unlock($1::int, hashtext($2))', key);
    }
    isDone = true;
    return rows[0]?.taken === true;
  } finally {
    // A connection that may still hold the lock is closed, which gives it back.
    client.release(!isDone);
  }
}

async function keepUp(parts: Parts, stopping: AbortSignal): Promise<void> {
  const { host, module, database, binding } = parts;
  const { schema, streams } = module.storage;
  const { clock, encryption, ports, retentionDays: days } = host;
  const { pool } = database;
  const { log } = binding;
  const resealed = await resealSubjectKeys(pool, schema, encryption);
  if (resealed > 0) log.info('Keys sealed anew', { schema, count: resealed });
  const readUpTo = ports.events.consumedUpTo?.(schema);
  if (readUpTo === undefined) return;
  await forgetHistory(parts, await readLine(database.sql, schema, readUpTo), stopping);
  if (days === undefined) return;
  const deleted = await applyRetention({ pool, schema, streams, clock, days, readUpTo, signal: stopping });
  const forgotten = await forgetDeadLetters({ pool, schema }, { before: new Date(clock.now() - days * dayMs) });
  if (deleted + forgotten > 0) log.info('Retention', { schema, events: deleted, deadLetters: forgotten });
}
