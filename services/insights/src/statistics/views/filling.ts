import { setTimeout as delay } from 'node:timers/promises';
import { type AnswerOf, type BodyOf, ListCountedMessages } from '@messaging-gateway/contracts';
import { every, type Job, type ServiceTools, type Sql } from '@messaging-gateway/service';
import type { InsightsSettings } from '../../config.ts';
import type { News } from '../facts/fact.ts';
import { firstPlaceAt } from '../facts/place.ts';
import { oldestKept } from '../facts/retention.ts';
import { stored } from '../facts/told.ts';

/** Messages in one answer of the inbox, which are written in one transaction. */
const together = 1000;
/** Between two pages, milliseconds: others have to do. */
const pauseMs = 10;

/** A page of what the inbox has stored. */
export type ReadStored = (asked: BodyOf<typeof ListCountedMessages>) => Promise<AnswerOf<typeof ListCountedMessages>>;

/**
 * Takes in the messages that the inbox has, from a place on; those that are there already change nothing.
 *
 * @param onPage told how far it has come, after each page
 */
export async function fill(
  take: (news: readonly News[]) => Promise<void>,
  read: ReadStored,
  from: string,
  onPage?: (place: string | null, count: number) => Promise<void> | void,
): Promise<void> {
  let after: string | null = from;
  while (after !== null) {
    const { items, next }: AnswerOf<typeof ListCountedMessages> = await read({ after, limit: together });
    if (items.length > 0) await take(items.map(stored));
    await onPage?.(next, items.length);
    after = next;
    if (after !== null) await delay(pauseMs);
  }
}

/**
 * Once in the life of an installation: messages that were there before they were counted are taken in from the inbox, page by page beside everything
 * else; after a crash it goes on where it was.
 */
export function fillingOnce(
  { sql, ask, clock, log, settings }: ServiceTools<InsightsSettings>,
  take: (news: readonly News[]) => Promise<void>,
): Job {
  return every(
    '1h',
    'filling of statistics',
    async (signal) => {
      const state = await stateOf(sql);
      if (state.ended) return;
      const oldest = firstPlaceAt(oldestKept(clock.now(), settings.statisticsRetentionDays));
      let count = 0;
      const read: ReadStored = (asked) => {
        signal.throwIfAborted();
        return ask(ListCountedMessages, asked);
      };
      await fill(take, read, state.after ?? oldest, async (place, some) => {
        count += some;
        await sql.query('UPDATE statistics_filling SET after = coalesce($1, after), ended_at = $2', [
          place,
          place === null ? new Date(clock.now()) : null,
        ]);
      });
      if (count > 0) log.info('Statistics hold the messages that were there before', { count });
    },
    // When what is told now is being taken in, so that nothing lies between.
    { alone: true, first: '5s', afterFault: '10s' },
  );
}

async function stateOf(sql: Sql): Promise<{ readonly after: string | null; readonly ended: boolean }> {
  const [row] = await sql.query<{ after: string | null; ended: boolean }>(
    'SELECT after, ended_at IS NOT NULL AS ended FROM statistics_filling',
  );
  return row ?? { after: null, ended: true };
}
