import type { TestClock } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { eventually } from './eventually.ts';

/**
 * Moves the clock on in small steps until something holds. It stands while the database does: what waits for an answer
 * must not be told that its time is over.
 */
export const passUntil = (
  { clock, sql }: { readonly clock: TestClock; readonly sql: Sql },
  holds: () => boolean | Promise<boolean>,
  stepMs = 250,
): Promise<void> =>
  eventually(async () => {
    if (await holds()) return true;
    await sql.query('SELECT 1');
    clock.advance(stepMs);
    return false;
  });
