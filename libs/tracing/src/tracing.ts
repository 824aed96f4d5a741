import type { TracingSettings } from './settings.ts';
import type { Tracing, TracingOptions } from './spans.ts';

/**
 * Begins to send traces to the collector. Without an endpoint nothing is traced: the libraries are not even loaded.
 *
 * @see docs/decisions/0310-trace-context-is-handed-on.md
 */
export async function startTracing(settings: TracingSettings, options: TracingOptions): Promise<Tracing | undefined> {
  const { tracesEndpoint, tracesSampler, tracesRatio } = settings;
  if (tracesEndpoint === undefined) return undefined;
  const { openTelemetry, samplerOf } = await import('./open-telemetry.ts');
  return openTelemetry(tracesEndpoint, samplerOf(tracesSampler, tracesRatio), options);
}
