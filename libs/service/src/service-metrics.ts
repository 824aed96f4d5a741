import type { Metrics } from '@messaging-gateway/runtime';
import { Counter, Histogram } from 'prom-client';

/** Metrics of every service. */
export interface ServiceMetrics {
  /** @param seconds from its arrival; @param outcome `ok` or the code of the refusal */
  operation(name: string, outcome: string, seconds: number): void;
  /** @param seconds from the event's time until it was handled */
  reaction(kind: string, seconds: number): void;
  deadLetter(name: string): void;
  /** A batch of the journal: streams written together, and those that a rival had written meanwhile. */
  written(streams: number, conflicts: number): void;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers on first use; the services of one process share the metrics, told apart by the label `service`. */
export function serviceMetrics(registry: Metrics, service: string): ServiceMetrics {
  const histogram = (name: string, help: string, labelNames: string[], buckets = seconds): Histogram =>
    shared(registry, name, () => new Histogram({ name, help, labelNames, buckets, registers: [registry] }));
  const counter = (name: string, help: string, labelNames: string[]): Counter =>
    shared(registry, name, () => new Counter({ name, help, labelNames, registers: [registry] }));
  const operations = histogram('operation_duration_seconds', "From an operation's arrival at its owner to the answer", [
    'service',
    'operation',
    'outcome',
  ]);
  const lag = histogram('reaction_lag_seconds', "From an event's time until a service has handled it", [
    'service',
    'kind',
  ]);
  const letters = counter('dead_letters_total', 'Events that were given up', ['service', 'name']);
  const batches = histogram(
    'journal_batch_streams',
    'Streams that were written to the journal with one statement',
    ['service'],
    [1, 2, 4, 8, 16, 32, 64],
  );
  const conflicts = counter('journal_conflicts_total', 'Appends that met a rival and were decided again', ['service']);
  return {
    operation: (operation, outcome, duration) => operations.observe({ service, operation, outcome }, duration),
    reaction: (kind, duration) => lag.observe({ service, kind }, duration),
    deadLetter: (name) => letters.inc({ service, name }),
    written: (streams, lost) => {
      batches.observe({ service }, streams);
      if (lost > 0) conflicts.inc({ service }, lost);
    },
  };
}

function shared<M>(registry: Metrics, name: string, make: () => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make();
}
