import type { Registry } from 'prom-client';

/** Prometheus metrics of this process: register counters, gauges and histograms of prom-client on it. */
export type Metrics = Registry;
