import type { Logger } from '@messaging-gateway/runtime';
import type { TracingSettings } from './settings.ts';
import type { Spans } from './spans.ts';

/** The traces of a process. */
export interface Tracing {
  /** The spans of a service, told apart by `service.name`. */
  of(service: string): Spans;
  /** Sends what was not sent yet, for three seconds at most. Never rejects. */
  stop(): Promise<void>;
}

export interface TracingOptions {
  readonly log: Logger;
  /** Which of several processes of a service this is: `service.instance.id`. */
  readonly instance?: string;
  /** How long finished spans are gathered, milliseconds. Default 2000. */
  readonly gatherMs?: number;
}

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
