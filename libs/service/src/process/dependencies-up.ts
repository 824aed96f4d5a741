import { sampledGauge, type Metrics } from '@messaging-gateway/runtime';
import type { Check } from './health-server.ts';

/** A gauge of what a process needs from outside, and whether it is there, asked when the metrics are read. */
export function dependenciesUp(metrics: Metrics, checks: () => Promise<Readonly<Record<string, Check>>>): void {
  const gauge = {
    name: 'dependency_up',
    help: 'Whether what a process needs is there for it: 1 or 0',
    labels: ['dependency'],
  };
  sampledGauge(metrics, gauge, async () =>
    Object.entries(await checks()).map(([dependency, check]) => ({
      labels: { dependency },
      value: Number(check === 'up'),
    })),
  );
}
