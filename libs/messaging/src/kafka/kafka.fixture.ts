import { setTimeout as delay } from 'node:timers/promises';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { facts, type SuiteFact } from '../suites/events.harness.ts';
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

/** Tells facts little by little until stopped. */
export function tellOn(
  tell: (facts: readonly SuiteFact[]) => Promise<void>,
  kind: string,
  keys: readonly string[],
): { readonly told: () => number; stop(): Promise<number> } {
  let stopped = false;
  let count = 0;
  const telling = (async () => {
    while (!stopped) {
      await tell(facts(kind, count + 10, [...keys]).slice(count * keys.length));
      count += 10;
      await delay(20);
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
