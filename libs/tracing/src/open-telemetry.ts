import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '@messaging-gateway/runtime';
import { recordedSpans } from './recorded-spans.ts';
import type { TracingSettings } from './settings.ts';
import type { Spans, Tracing, TracingOptions } from './spans.ts';

const lastSpansMs = 3000;
const complainEveryMs = 60_000;

/** One exporter for all services of the process; each has its own name. */
export function openTelemetry(endpoint: string, sampler: Sampler, options: TracingOptions): Tracing {
  const { log, instance, gatherMs = 2000 } = options;
  diag.setLogger(complaints(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: gatherMs, maxQueueSize: 8192 });
  const spans = new Map<string, Spans>();
  const make = (service: string): Spans => {
    const names = { 'service.name': service, ...(instance !== undefined && { 'service.instance.id': instance }) };
    const resource = defaultResource().merge(
      resourceFromAttributes({ 'service.namespace': 'messaging-gateway', ...names }),
    );
    const provider = new TracerProvider({ resource, sampler, spanProcessors: [processor] });
    return recordedSpans(provider.getTracer('messaging-gateway'));
  };
  return {
    of: (service) => {
      const known = spans.get(service) ?? make(service);
      spans.set(service, known);
      return known;
    },
    stop: async () => {
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, lastSpansMs);
      await Promise.race([processor.shutdown().catch(() => undefined), patience.promise]);
      clearTimeout(timer);
    },
  };
}

/** The sampler behind a name of the standard. Only the gateway begins traces; all others have a parent. */
export function samplerOf(name: TracingSettings['tracesSampler'], ratio: number): Sampler {
  const followsParent = name.startsWith('parentbased_');
  const root = rootOf(name.replace('parentbased_', ''), ratio);
  // Without a parent-based sampler the gateway ignores the client's flag, and everyone behind it follows the gateway's.
  const remote = followsParent ? {} : { remoteParentSampled: root, remoteParentNotSampled: root };
  return new ParentBasedSampler({ root, ...remote });
}

function rootOf(name: string, ratio: number): Sampler {
  if (name === 'always_on') return new AlwaysOnSampler();
  return name === 'always_off' ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** A collector that is away is worth a line a minute; traces are dropped meanwhile. */
function complaints(log: Logger) {
  let last = -Infinity;
  const say = (reason: string): void => {
    if (performance.now() - last < complainEveryMs) return;
    last = performance.now();
    log.warn('Traces not sent', { reason: reason.slice(0, 300) });
  };
  const nothing = (): void => undefined;
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing };
}
