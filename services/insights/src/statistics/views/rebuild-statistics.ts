import type { Clock } from '@messaging-gateway/runtime';
import type { Sql } from '@messaging-gateway/service';
import { takeIn } from '../facts/taking.ts';
import { oldestKept } from '../facts/retention.ts';
import { firstPlaceAt } from '../facts/place.ts';
import { fill, type ReadStored } from './filling.ts';
import { rebuildViews, statisticsViews } from './rebuilding.ts';

/** Where statistics are made anew, beside a gateway that runs. */
export interface RebuildingStatistics {
  /** In the schema of insights. */
  readonly sql: Sql;
  readonly clock: Clock;
  /** STATISTICS_RETENTION_DAYS */
  readonly retentionDays: number;
  readonly read: ReadStored;
  /** Told now and then how far it has come. */
  readonly say: (line: string) => void;
}

const saidEach = 50_000;

/**
 * Takes in the messages that the inbox has and statistics lack, then counts all of them anew. All of it has the effect of once, however often it is
 * done, and whatever is taken in meanwhile.
 *
 * @returns the names of what was counted anew
 */
export async function rebuildStatistics({
  sql,
  clock,
  retentionDays,
  read,
  say,
}: RebuildingStatistics): Promise<readonly string[]> {
  let [looked, said] = [0, 0];
  const now = clock.now();
  await fill(
    (news) => takeIn(sql, news, now),
    read,
    firstPlaceAt(oldestKept(now, retentionDays)),
    (_, count) => {
      looked += count;
      if (looked < said + saidEach) return;
      said = looked;
      say(`${looked} messages of the inbox were looked at.`);
    },
  );
  await rebuildViews(sql, (done, all) => {
    if (done % 100 === 0 || done === all) say(`${done} of ${all} organizations were counted anew.`);
  });
  return statisticsViews;
}
