import { type Clock, sampledGauge } from '@messaging-gateway/runtime';
import type { Running, ServiceTools } from '@messaging-gateway/service';

/** So far a clock may be from the database's before that one counts, milliseconds. */
const tolerance = 5000;
/** Between two comparisons, milliseconds. */
const compareMs = 10_000;

export interface SharedClock extends Clock, Running {}

type Tools = Pick<ServiceTools<unknown>, 'clock' | 'sql' | 'log' | 'metrics'>;

/**
 * The process's clock, unless it is more than 5 s from the database's: then the database's. Gates and days of the limit are
 * written down and read by other replicas, whose clocks must agree with it.
 *
 * @param wall what the machine's clock says, milliseconds since 1970
 * @see docs/decisions/0546-one-clock-for-gates.md
 */
export function sharedClock({ clock, sql, log, metrics }: Tools, wall: () => number = Date.now): SharedClock {
  /** By how much the machine's clock is ahead. */
  let ahead = 0;
  let timer: NodeJS.Timeout | undefined;
  let stopLooking = (): void => undefined;
  const wrongBy = (): number => (Math.abs(ahead) > tolerance ? ahead : 0);

  const compare = async (): Promise<void> => {
    const before = wall();
    const [row] = await sql.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    const took = wall() - before;
    // An answer that took long tells little.
    if (row === undefined || took < 0 || took > tolerance) return;
    const wasWrong = wrongBy() !== 0;
    ahead = before + took / 2 - row.now;
    if (wrongBy() !== 0 && !wasWrong)
      log.error("The clock of this machine is far from the database's, which counts from now on", { aheadMs: ahead });
  };
  const tryToCompare = (): Promise<void> =>
    compare().catch((error: Error) => log.debug('The clocks were not compared', { reason: error.message }));

  return {
    now: () => clock.now() - wrongBy(),
    at: (time, callback) => clock.at(time + wrongBy(), callback),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    start: async () => {
      await tryToCompare();
      timer = setInterval(() => void tryToCompare(), compareMs).unref();
      stopLooking = sampledGauge(
        metrics,
        { name: 'outbound_clock_ahead_seconds', help: "By how much the machine's clock is ahead of the database's" },
        () => [{ value: ahead / 1000 }],
      );
    },
    stop: async () => {
      clearInterval(timer);
      stopLooking();
    },
  };
}

const hour = 3_600_000;
const dayLength = 24 * hour;
/** Asia/Jakarta has no summer time. */
const offset = 7 * hour;

/** The day of the daily limit, `YYYY-MM-DD` in Asia/Jakarta. Days compare as texts. */
export function dayOf(time: number): string {
  return new Date(time + offset).toISOString().slice(0, 10);
}

/** When the counter next resets: the first 00:00 in Asia/Jakarta after a time, milliseconds since 1970. */
export function nextReset(time: number): number {
  return (Math.floor((time + offset) / dayLength) + 1) * dayLength - offset;
}

/** `2026-01-02T00:00:00+07:00`, the form of `resetAt` in the 429. */
export function jakartaTimestamp(time: number): string {
  return `${new Date(time + offset).toISOString().slice(0, 19)}+07:00`;
}
