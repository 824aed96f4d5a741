import type { Running, ServiceTools } from '@messaging-gateway/service';
import { addUp, putRight, type KeptNumber } from './kept-number.ts';

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'clock' | 'log'>;

const minute = 60_000;
/** Looks until the numbers are compared with what is there: once an hour. */
const looksBetween = 60;

/** Adds up what changed in the numbers once a minute, and puts them right once an hour. */
export function countKeeping({ sql, clock, log }: Tools, numbers: readonly KeptNumber[]): Running {
  let looks = 0;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    for (const number of numbers) {
      await addUp(sql, number);
      const corrections = looks % looksBetween === 0 ? await putRight(sql, number) : 0;
      if (corrections > 0) log.warn('Kept numbers were put right', { table: number.table, corrections });
    }
    looks += 1;
  };
  const tick = async (): Promise<void> => {
    try {
      await look();
    } finally {
      cancel = clock.at(
        clock.now() + minute,
        () => void tick().catch((error: Error) => log.error('Numbers were not kept', { reason: error.message })),
      );
    }
  };
  return { start: tick, stop: async () => cancel() };
}
