import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { upTo, type SuiteFact } from '../suites/events.harness.ts';
import { openKafka, type KafkaEvents } from './open-kafka.ts';
import type { KafkaOptions } from './options.ts';

/** A participant with few partitions. */
export const openOn = (brokers: readonly string[], options: Partial<KafkaOptions> = {}): KafkaEvents =>
  openKafka({
    brokers,
    clientId: 'test',
    partitions: 3,
    replication: 1,
    retentionDays: 7,
    clock: systemClock,
    log: silentLogger,
    ...options,
  });

export interface Telling {
  /** How many of each key were told. */
  told(): number;
  /** @returns how many of each key were told */
  stop(): Promise<number>;
}

/** Facts of each key that are told at once, and how long until the next ones, milliseconds. */
const [atOnce, pauseMs] = [5, 50];

/** Tells facts little by little until stopped: how many does not depend on how fast the machine is. */
export function tellOn(
  tell: (facts: readonly SuiteFact[]) => Promise<void>,
  kind: string,
  keys: readonly string[],
): Telling {
  let stopped = false;
  let count = 0;
  const telling = (async () => {
    while (!stopped) {
      const from = count;
      await tell(upTo(atOnce).flatMap((n) => keys.map((key) => ({ kind, key, n: from + n }))));
      count += atOnce;
      await delay(pauseMs);
    }
  })();
  return {
    told: () => count,
    stop: async () => {
      stopped = true;
      await telling;
      return count;
    },
  };
}
