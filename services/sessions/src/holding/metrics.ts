import { connectionStatuses } from '@messaging-gateway/contracts';
import type { Metrics } from '@messaging-gateway/runtime';
import type { FeatureGauge } from '@messaging-gateway/service';
import { Counter } from 'prom-client';
import type { ConnectionStatus } from '../profiles/profile.ts';

type LeaseChange = 'claimed' | 'handed-over' | 'lost';

/** Counts what holders do. */
export interface HolderMetrics {
  /** @param outcome `acknowledged`, `refused`, `handed-over` or `nothing-left` */
  sent(outcome: string): void;
  /** Notes that a profile came to this process or left it. */
  leaseChanged(change: LeaseChange): void;
}

export function holderMetrics(registry: Metrics): HolderMetrics {
  const registers = [registry];
  for (const name of ['sessions_sends_total', 'sessions_lease_changes_total']) registry.removeSingleMetric(name);
  const sends = new Counter({
    name: 'sessions_sends_total',
    help: 'Messages handed to engines by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const changes = new Counter({
    name: 'sessions_lease_changes_total',
    help: 'Profiles that came to this process (claimed) or left it (handed-over, lost)',
    labelNames: ['change'],
    registers,
  });
  return { sent: (outcome) => sends.inc({ outcome }), leaseChanged: (change) => changes.inc({ change }) };
}

/** @param statuses of the profiles held */
export const holderGauges = (statuses: () => readonly ConnectionStatus[]): readonly FeatureGauge[] => [
  {
    name: 'sessions_leases',
    help: 'Profiles held by this process',
    look: () => [{ value: statuses().length }],
  },
  {
    name: 'sessions_profiles',
    help: 'Profiles held by this process, by connection status',
    labels: ['status'],
    look: () => {
      const found = statuses();
      return connectionStatuses.map((status) => ({
        labels: { status },
        value: found.filter((one) => one === status).length,
      }));
    },
  },
];
