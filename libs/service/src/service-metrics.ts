import type { Metrics } from '@messaging-gateway/runtime';
import { Counter, Histogram } from 'prom-client';

/** What every service measures of itself. */
export interface ServiceMetrics {
  /** @param seconds from its arrival; @param outcome `ok` or the code of the refusal */
  operation(name: string, outcome: string, seconds: number): void;
  /** @param seconds from the event's time until it was handled */
  reaction(kind: string, seconds: number): void;
  deadLetter(name: string): void;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers on first use; the services of one process share the metrics, told apart by the label `service`. */
export function serviceMetrics(registry: Metrics, service: string): ServiceMetrics {
  const operations = shared(
    registry,
    'operation_duration_seconds',
    (name) =>
      new Histogram({
        name,
        help: "From an operation's arrival at its owner to the answer",
        labelNames: ['service', 'operation', 'outcome'],
        buckets: seconds,
        registers: [registry],
      }),
  );
  const lag = shared(
    registry,
    'reaction_lag_seconds',
    (name) =>
      new Histogram({
        name,
        help: "From an event's time until a service has handled it",
        labelNames: ['service', 'kind'],
        buckets: seconds,
        registers: [registry],
      }),
  );
  const letters = shared(
    registry,
    'dead_letters_total',
    (name) =>
      new Counter({
        name,
        help: 'Events and commands that were given up',
        labelNames: ['service', 'name'],
        registers: [registry],
      }),
  );
  return {
    operation: (operation, outcome, duration) => operations.observe({ service, operation, outcome }, duration),
    reaction: (kind, duration) => lag.observe({ service, kind }, duration),
    deadLetter: (name) => letters.inc({ service, name }),
  };
}

function shared<M>(registry: Metrics, name: string, make: (name: string) => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make(name);
}
