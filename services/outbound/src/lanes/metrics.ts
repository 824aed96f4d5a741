import type { Metrics } from '@messaging-gateway/runtime';
import { Counter, Gauge, Histogram } from 'prom-client';

/** What outbound measures. */
export interface OutboundMetrics {
  /** @param outcome `sent`, `refused`, `lost`, `not-connected` or `disowned` */
  attempt(outcome: string): void;
  /** A message reached a state: `sent`, `failed` with its code, or `unknown`. */
  settled(status: string, code: string): void;
  /** @param seconds from acceptance until the message was handed over for the first time */
  waited(seconds: number): void;
  /** A send was refused because of the daily limit. */
  limited(): void;
  /** Lanes came to this process or left it. */
  laneChanged(change: 'claimed' | 'handed-over' | 'lost', lanes: number): void;
}

/** What the lanes of this process hold. */
export interface LaneLoad {
  /** Lanes in memory; of several replicas each has its own. */
  readonly owned: number;
  /** Those with work. */
  readonly active: number;
  readonly messages: number;
}

const seconds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 3600];

/**
 * Registers the metrics; a service that is started again in the same process takes the place of the former one.
 *
 * @param lanes counts lanes with work, and the messages that they hold, when the metrics are read
 */
export function outboundMetrics(registry: Metrics, lanes: () => LaneLoad): OutboundMetrics {
  const registers = [registry];
  const named = <Name extends string>(name: Name): Name => {
    registry.removeSingleMetric(name);
    return name;
  };
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: named(name), help, labelNames, registers });
  const attempts = counter('outbound_attempts_total', 'Hand-overs to sessions by outcome', ['outcome']);
  const settled = counter('outbound_messages_total', 'Messages by outcome', ['status', 'code']);
  const limited = counter('outbound_daily_limit_refusals_total', 'Sends refused at the daily limit', []);
  const changes = counter(
    'outbound_lane_changes_total',
    'Lanes that came to this process (claimed) or left it (handed-over, lost)',
    ['change'],
  );
  const waited = new Histogram({
    name: named('outbound_gate_wait_seconds'),
    help: 'From acceptance to the first hand-over',
    buckets: seconds,
    registers,
  });
  const owned: Gauge = new Gauge({
    name: named('outbound_lanes'),
    help: 'Lanes that this process owns and has in memory',
    registers,
    collect: () => owned.set(lanes().owned),
  });
  const active: Gauge = new Gauge({
    name: named('outbound_lanes_active'),
    help: 'Lanes with work',
    registers,
    collect: () => active.set(lanes().active),
  });
  const depth: Gauge = new Gauge({
    name: named('outbound_queue_depth'),
    help: 'Open messages in the memory of lanes',
    registers,
    collect: () => depth.set(lanes().messages),
  });
  return {
    attempt: (outcome) => attempts.inc({ outcome }),
    settled: (status, code) => settled.inc({ status, code }),
    waited: (duration) => waited.observe(duration),
    limited: () => limited.inc(),
    laneChanged: (change, count) => changes.inc({ change }, count),
  };
}
