import { setTimeout as sleep } from 'node:timers/promises';
import type { LeaseSql } from './lease.ts';
import { letGoMs } from './times.ts';

/** SQL whose silence is an error after the time in which a replica lets go: nobody waits for a network that is silent. */
export const inTime = (sql: LeaseSql): LeaseSql => ({
  query: async (text, values) => {
    const answered = new AbortController();
    const late = sleep(letGoMs, undefined, { ref: false, signal: answered.signal }).then(() => {
      throw new Error('The database does not answer.');
    });
    late.catch(() => undefined);
    return Promise.race([sql.query<never>(text, values), late]).finally(() => answered.abort());
  },
});
