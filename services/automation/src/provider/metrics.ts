import type { Metrics } from '@messaging-gateway/runtime';
import { Counter, Histogram } from 'prom-client';

type Outcome = 'ok' | 'failed';

export interface AiMetrics {
  /** @returns says what became of a call, and how many tokens it has used */
  begin(): (outcome: Outcome, tokens: number) => void;
}

const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

/** Registers the metrics; a service that is started again in the same process takes the place of the former one. */
export function aiMetrics(registry: Metrics): AiMetrics {
  const registers = [registry];
  const [calls, used] = ['automation_ai_call_seconds', 'automation_ai_tokens_total'] as const;
  for (const name of [calls, used]) registry.removeSingleMetric(name);
  const called = new Histogram({
    name: calls,
    help: 'Calls to AI providers with their second try, by outcome',
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  const tokens = new Counter({ name: used, help: 'Tokens that AI providers have used', registers });
  return {
    begin: () => {
      const begun = performance.now();
      return (outcome, count) => {
        called.observe({ outcome }, (performance.now() - begun) / 1000);
        tokens.inc(count);
      };
    },
  };
}
