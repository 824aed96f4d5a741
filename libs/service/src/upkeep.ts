import { applyRetention, resealSubjectKeys } from '@messaging-gateway/event-sourcing';
import { forgetDeadLetters } from '@messaging-gateway/messaging';
import type { Parts } from './lifecycle.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Keeps a schema small and its keys current, once an hour beside everything else: what is older than the retention is
 * deleted, and keys sealed with a previous `ENCRYPTION_KEY` are sealed with the present one. @returns stops it
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
      await keepUp(parts).catch((error: unknown) => log.warn('Upkeep failed', { schema, reason: String(error) }));
      await clock.sleep(hourMs, stopping.signal).catch(() => undefined);
    }
  };
  const finished = run();
  return async () => {
    stopping.abort();
    await finished;
  };
}

async function keepUp({ host, module: { storage }, database: { pool }, binding: { log } }: Parts): Promise<void> {
  const { schema, streams } = storage;
  const { clock, encryption, ports, retentionDays: days } = host;
  const resealed = await resealSubjectKeys(pool, schema, encryption);
  if (resealed > 0) log.info('Keys sealed anew', { schema, count: resealed });
  const readUpTo = ports.events.consumedUpTo?.(schema);
  if (days === undefined || readUpTo === undefined) return;
  const deleted = await applyRetention({ pool, schema, streams, clock, days, readUpTo });
  const forgotten = await forgetDeadLetters({ pool, schema }, { before: new Date(clock.now() - days * dayMs) });
  if (deleted + forgotten > 0) log.info('Retention', { schema, events: deleted, deadLetters: forgotten });
}
