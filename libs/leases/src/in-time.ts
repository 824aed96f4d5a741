import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaseSql } from './lease.ts';

/** SQL whose silence is an error after so many milliseconds: nobody waits for a network that is silent. */
export const inTime = (sql: LeaseSql, milliseconds: number): LeaseSql => ({
  query: async (text, values) => {
    const answered = new AbortController();
    const late = sleep(milliseconds, undefined, { ref: false, signal: answered.signal }).then(() => {
      throw new Error('The database does not answer.');
    });
    late.catch(() => undefined);
    return Promise.race([sql.query<never>(text, values), late]).finally(() => answered.abort());
  },
});
