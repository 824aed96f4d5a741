import type { Metrics } from '@messaging-gateway/runtime';
import { Counter, Gauge, Histogram } from 'prom-client';
import { connectionStatuses } from '@messaging-gateway/contracts';
import type { ConnectionStatus } from './profiles/profile.ts';

/** What sessions measures. */
export interface SessionsMetrics {
  /** @param outcome `acknowledged`, `refused`, `handed-over` or `nothing-left` */
  sent(outcome: string): void;
  /** A commit of session data. @param writers callers that shared it */
  committed(milliseconds: number, writers: number): void;
  /** A profile came to this process or left it. */
  leaseChanged(change: LeaseChange): void;
}

type LeaseChange = 'claimed' | 'handed-over' | 'lost';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];

/** @param statuses of the profiles held, asked when the metrics are read */
export function sessionsMetrics(registry: Metrics, statuses: () => readonly ConnectionStatus[]): SessionsMetrics {
  const registers = [registry];
  for (const name of [
    'sessions_sends_total',
    'sessions_commit_seconds',
    'sessions_commit_writers_total',
    'sessions_profiles',
    'sessions_leases',
    'sessions_lease_changes_total',
  ])
    registry.removeSingleMetric(name);
  const sends = new Counter({
    name: 'sessions_sends_total',
    help: 'Messages handed to engines by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const commits = new Histogram({
    name: 'sessions_commit_seconds',
    help: 'Commits of session data',
    buckets: seconds,
    registers,
  });
  const writers = new Counter({
    name: 'sessions_commit_writers_total',
    help: 'Callers whose changes were committed',
    registers,
  });
  const leases: Gauge = new Gauge({
    name: 'sessions_leases',
    help: 'Profiles held by this process',
    registers,
    collect: () => leases.set(statuses().length),
  });
  const changes = new Counter({
    name: 'sessions_lease_changes_total',
    help: 'Profiles that came to this process (claimed) or left it (handed-over, lost)',
    labelNames: ['change'],
    registers,
  });
  const profiles: Gauge<'status'> = new Gauge({
    name: 'sessions_profiles',
    help: 'Profiles held by this process, by connection status',
    labelNames: ['status'],
    registers,
    collect: () => {
      const found = statuses();
      for (const status of connectionStatuses) profiles.set({ status }, found.filter((one) => one === status).length);
    },
  });
  return {
    leaseChanged: (change) => changes.inc({ change }),
    sent: (outcome) => sends.inc({ outcome }),
    committed: (milliseconds, callers) => {
      commits.observe(milliseconds / 1000);
      writers.inc(callers);
    },
  };
}
