import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes, type Tracer } from '@opentelemetry/api';
import { type Facts, type OpenSpan, type Spans, isRecorded, readTraceparent, writeTraceparent } from './spans.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Refusals that are a fault of ours and not an answer to the one who asked. */
const faults: ReadonlySet<string> = new Set(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

/** Spans of OpenTelemetry. */
export function recordedSpans(tracer: Tracer): Spans {
  return {
    start: (name, { kind, parent, facts = {}, root = false }) => {
      if (!root && !isRecorded(parent)) return undefined;
      const cause = readTraceparent(parent);
      const context =
        cause === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...cause, isRemote: root });
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: attributesOf(facts) }, context);
      return {
        traceparent: writeTraceparent(span.spanContext()),
        note: (later) => void span.setAttributes(attributesOf(later)),
        rename: (better) => void span.updateName(better),
        end: (error) => {
          if (error !== undefined) {
            const type = errorType(error);
            span.setAttribute('error.type', type);
            if (!isRefusal(error) || faults.has(type)) span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      } satisfies OpenSpan;
    },
  };
}

const isRefusal = (error: unknown): boolean => error instanceof Error && error.name === 'Refused';

/** A code such as `NOT_FOUND` or `ECONNREFUSED`, else the class. Messages may name people. */
function errorType(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return 'Error';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^\w+$/.test(code) ? code : error.name;
}

const attributesOf = (facts: Facts): Attributes =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Attributes;
