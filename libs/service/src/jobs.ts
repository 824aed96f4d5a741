import { isForNow } from '@messaging-gateway/messaging';
import { settledWithin, type Clock, type Logger, type Metrics } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { Counter } from 'prom-client';
import type { Running } from './running.ts';

/** Parts that jobs are run with. */
export interface JobTools {
  readonly service: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly pool: Pool;
}

/** A job that a service does by itself for as long as it runs: a row that its runner starts and stops. */
export interface Job {
  /** For logs and metrics. */
  readonly name: string;
  running(tools: JobTools): Running;
}

/** A job that can be told that there is something to do. */
export interface PeriodicJob extends Job {
  /** Does the work now, or once more when it is being done; nothing before the start and after the stop. */
  wake(): void;
}

/** Milliseconds, or a text like `'30s'`. */
export type Interval = number | `${number}${keyof typeof units}`;

export interface PeriodicOptions {
  /**
   * One replica at a time; the others ask for their turn again after the interval, or after a minute if that is sooner.
   * A text: under this name, unique in the database. Default: every replica does the work.
   */
  readonly alone?: boolean | string;
  /**
   * When it is done first: `awaited` with the start, which goes on after 3 s at the latest (with little data it is over
   * by then), `beside` the start, or so long after it. Default `beside`.
   */
  readonly first?: 'awaited' | 'beside' | Interval;
  /** From a fault to the next try. Default: the interval. */
  readonly afterFault?: Interval;
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const startMs = 3_000;
const minuteMs = 60_000;
/** How long a stop waits for work that does not heed its signal, milliseconds. */
const stopMs = 10_000;

/** In milliseconds. */
function milliseconds(interval: Interval): number {
  if (typeof interval === 'number') return interval;
  const unit = interval.replace(/^[\d.]+/, '') as keyof typeof units;
  return Number.parseFloat(interval) * units[unit];
}

/**
 * Work that is done again and again: the next time begins an interval after the last one has ended, so it is never done
 * twice at once. What fails is logged, counted, and tried again.
 *
 * @param work `signal`: the service stops, and waits for it 10 s at most
 */
export function every(
  interval: Interval,
  name: string,
  work: (signal: AbortSignal) => Promise<unknown>,
  options: PeriodicOptions = {},
): PeriodicJob {
  const begun = new Set<Rounds>();
  return {
    name,
    wake: () => begun.forEach((rounds) => rounds.wake()),
    running: (tools) => {
      const rounds = new Rounds(tools, { name, intervalMs: milliseconds(interval), work, options });
      return {
        start: () => {
          begun.add(rounds);
          return rounds.start();
        },
        stop: () => {
          begun.delete(rounds);
          return rounds.stop();
        },
      };
    },
  };
}

/** Starts and stops jobs, all at the same time. */
export function jobsRunning(jobs: readonly Job[], tools: JobTools): Running {
  const running = jobs.map((job) => job.running(tools));
  return {
    start: async () => void (await Promise.all(running.map((one) => one.start()))),
    stop: async () => void (await Promise.all(running.map((one) => one.stop()))),
  };
}

interface Periodic {
  readonly name: string;
  readonly intervalMs: number;
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly options: PeriodicOptions;
}

class Rounds implements Running {
  readonly #tools: JobTools;
  readonly #job: Periodic;
  readonly #faulty: (error: unknown) => void;
  #stopping = new AbortController();
  #pausing = new AbortController();
  #isWanted = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(tools: JobTools, job: Periodic) {
    this.#tools = tools;
    this.#faulty = faultTeller(tools, job.name);
    this.#job = job;
  }

  async start(): Promise<void> {
    this.#stopping = new AbortController();
    const first = Promise.withResolvers<void>();
    this.#ended = this.#run(this.#stopping.signal, first.resolve);
    if (this.#job.options.first === 'awaited') await settledWithin(startMs, first.promise);
  }

  wake(): void {
    this.#isWanted = true;
    this.#pausing.abort();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('The service is stopping.'));
    this.#pausing.abort();
    if (!(await settledWithin(stopMs, this.#ended)))
      this.#tools.log.warn('Job not ended in time', { job: this.#job.name });
  }

  async #run(signal: AbortSignal, onFirst: () => void): Promise<void> {
    const { first = 'beside' } = this.#job.options;
    if (first !== 'awaited' && first !== 'beside') await this.#pause(milliseconds(first), signal);
    while (!signal.aborted) {
      this.#isWanted = false;
      const [begun, since] = [this.#tools.clock.now(), performance.now()];
      const pauseMs = await this.#round(signal);
      onFirst();
      // By how long it took: a clock that jumped meanwhile has gone part of the way.
      const end = begun + performance.now() - since;
      await this.#pause(end + pauseMs - this.#tools.clock.now(), signal);
    }
    onFirst();
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    this.#pausing = new AbortController();
    if (this.#isWanted || signal.aborted) return;
    await this.#tools.clock.sleep(ms, this.#pausing.signal).catch(() => undefined);
  }

  /** @returns milliseconds until the next one */
  async #round(signal: AbortSignal): Promise<number> {
    const { name, intervalMs, work, options } = this.#job;
    const { alone = false, afterFault = intervalMs } = options;
    const { service, pool } = this.#tools;
    try {
      if (alone === false) {
        await work(signal);
        return intervalMs;
      }
      const hadTurn = await inTurn(pool, alone === true ? `${service} ${name}` : alone, () => work(signal));
      return hadTurn ? intervalMs : Math.min(intervalMs, minuteMs);
    } catch (error) {
      if (!signal.aborted) this.#faulty(error);
      return milliseconds(afterFault);
    }
  }
}

/** First half of the advisory locks of jobs. */
const turns = 7_260_816;

/** @returns false: another replica is at it */
async function inTurn(pool: Pool, name: string, work: () => Promise<unknown>): Promise<boolean> {
  const client = await pool.connect();
  const key = [turns, name];
  let isDone = false;
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      'SELECT pg_try_advisory_lock($1::int, hashtext($2)) AS taken',
      key,
    );
    if (rows[0]?.taken === true) {
      await work();
      await client.query('SELECT pg_advisory_unlock($1::int, hashtext($2))', key);
    }
    isDone = true;
    return rows[0]?.taken === true;
  } finally {
    // A connection that may still hold the lock is closed, which gives it back.
    client.release(!isDone);
  }
}

/** Logs and counts what a job could not do. */
export function faultTeller({ service, log, metrics }: JobTools, job: string): (error: unknown) => void {
  const counter = faults(metrics);
  return (error) => {
    counter.inc({ service, job });
    log[isForNow(error) ? 'warn' : 'error']('Job failed', { job, reason: String(error) });
  };
}

function faults(metrics: Metrics): Counter {
  const name = 'job_faults_total';
  return (
    (metrics.getSingleMetric(name) as Counter | undefined) ??
    new Counter({
      name,
      help: 'Faults of what a service does by itself from time to time; it is tried again',
      labelNames: ['service', 'job'],
      registers: [metrics],
    })
  );
}
