import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@messaging-gateway/runtime';
import { DatabaseError, type ClientBase } from 'pg';

/** So long a step stands in front of a table, and everybody else behind it, milliseconds. */
export const lockTimeoutMs = 500;
/** Between two tries, so that those behind it get on, milliseconds. */
const pauseMs = 4_000;
const reminderMs = 30_000;
/** PostgreSQL's codes for no lock within the time, and for a deadlock with somebody who was first. */
const heldByOthers = new Set(['55P03', '40P01']);

export interface Patience {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Milliseconds between two tries; default 4 s. */
  readonly pauseMs?: number | undefined;
}

/** Tries again as long as others hold what is needed, and says who: at first, and again every half minute. */
export async function whenFree<T>(
  client: ClientBase,
  schema: string,
  step: string,
  attempt: () => Promise<T>,
  { log, signal, pauseMs: pause = pauseMs }: Patience,
): Promise<T> {
  let saidAt = -Infinity;
  for (;;) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof DatabaseError && heldByOthers.has(error.code ?? ''))) throw error;
      if (performance.now() - saidAt >= reminderMs) {
        log.warn('A migration waits for others who use its tables', { step, heldBy: await holders(client, schema) });
        saidAt = performance.now();
      }
      await delay(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Sessions that use tables of the schema, in a transaction or beside one of their own: the oldest first, ten at most. */
async function holders(client: ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ who: string }>(
    `SELECT format('%s (pid %s, for %s s)', coalesce(nullif(a.application_name, ''), a.usename), a.pid,
                   extract(epoch FROM now() - a.xact_start)::int) AS who
       FROM pg_stat_activity a
      WHERE a.pid <> pg_backend_pid() AND EXISTS (
        SELECT FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE l.pid = a.pid AND l.granted AND n.nspname = $1)
      ORDER BY a.xact_start LIMIT 10`,
    [schema],
  );
  return rows.map(({ who }) => who);
}
