import { applyRetention, readLine, resealSubjectKeys } from '@messaging-gateway/event-sourcing';
import { forgetDeadLetters } from '@messaging-gateway/messaging';
import { forgetHistory } from './forget-history.ts';
import { every, type Job } from './jobs.ts';
import type { Parts } from './service-parts.ts';

const dayMs = 86_400_000;

/**
 * Keeps a schema small and its keys current, once an hour beside everything else: what is older than the retention is
 * deleted, and keys sealed with a previous `ENCRYPTION_KEY` are sealed with the present one. Replicas take turns.
 */
export const upkeep = (parts: Parts): Job =>
  every('1h', 'upkeep', (signal) => keepUp(parts, signal), { alone: parts.module.storage.schema });

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
  await forgetHistory(parts, readLine(readUpTo), stopping);
  if (days === undefined) return;
  const deleted = await applyRetention({ pool, schema, streams, clock, days, readUpTo, signal: stopping });
  const forgotten = await forgetDeadLetters({ pool, schema }, { before: new Date(clock.now() - days * dayMs) });
  if (deleted + forgotten > 0) log.info('Retention', { schema, events: deleted, deadLetters: forgotten });
}
