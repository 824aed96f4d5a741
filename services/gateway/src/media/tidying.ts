import type { MediaStore } from '@messaging-gateway/media';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import type { MediaQuota } from './media-quota.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Advisory lock of whoever tidies up. */
const turn = 7_260_817;

export interface TidyingOptions {
  readonly media: MediaStore;
  readonly quota: Pick<MediaQuota, 'forget'>;
  readonly database: Pool;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long uploads are kept, days. */
  readonly days: number;
}

/**
 * Deletes old uploads, and what died writers left, once a day. Gateways on one database take turns.
 *
 * @returns stops it
 */
export function startTidying({ media, quota, database, clock, log, days }: TidyingOptions): () => Promise<void> {
  const stopping = new AbortController();
  const tidy = async (): Promise<void> => {
    const deleted = await media.tidy(new Date(clock.now() - days * dayMs));
    await quota.forget();
    if (deleted > 0) log.info('Old uploads deleted', { count: deleted });
  };
  const run = async (): Promise<void> => {
    // Not while the process starts.
    await clock.sleep(hourMs, stopping.signal).catch(() => undefined);
    while (!stopping.signal.aborted) {
      await inTurn(database, tidy).catch((error: unknown) =>
        log.warn('Media not tidied up', { reason: String(error) }),
      );
      await clock.sleep(dayMs, stopping.signal).catch(() => undefined);
    }
  };
  const finished = run();
  return async () => {
    stopping.abort();
    await finished;
  };
}

async function inTurn(database: Pool, work: () => Promise<void>): Promise<void> {
  const client = await database.connect();
  let isDone = false;
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [turn]);
    if (rows[0]?.taken === true) {
      await work();
      await client.query('select pg_advisory_unlock($1)', [turn]);
    }
    isDone = true;
  } finally {
    // A connection that may still hold the lock is closed, which gives it back.
    client.release(!isDone);
  }
}
