import { every, type Job, type ServiceTools } from '@messaging-gateway/service';
import { addUp, putRight, type KeptNumber } from './kept-number.ts';

type Tools = Pick<ServiceTools<unknown>, 'sql' | 'log'>;

/** Adds up what changed in the numbers once a minute, and puts them right once an hour. @param of what is counted, for logs and metrics */
export function countKeeping({ sql, log }: Tools, of: string, numbers: readonly KeptNumber[]): readonly Job[] {
  const add = async (): Promise<void> => {
    for (const number of numbers) await addUp(sql, number);
  };
  const correct = async (): Promise<void> => {
    for (const number of numbers) {
      const corrections = await putRight(sql, number);
      if (corrections > 0) log.warn('Kept numbers were put right', { table: number.table, corrections });
    }
  };
  return [
    every('1m', `adding up of ${of}`, add, { first: 'awaited' }),
    every('1h', `correction of ${of}`, correct, { first: 'awaited' }),
  ];
}
