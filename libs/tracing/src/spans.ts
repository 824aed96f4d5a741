import type { Logger } from '@messaging-gateway/runtime';

/** Facts of a span. Never a message text, a token, a phone number, or an error's words. */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

/** Name, time and parent of a span. */
export interface SpanOptions {
  readonly kind: 'server' | 'client' | 'producer' | 'consumer';
  /** W3C trace context of what caused it. Absent: nothing is recorded, unless `root`. */
  readonly parent: string | undefined;
  readonly facts?: Facts;
  /** A trace may begin here: the sampler decides. */
  readonly root?: boolean;
}

/** A span under way. */
export interface OpenSpan {
  /** Goes along with everything that this causes: W3C trace context, with a clear flag when nobody records it. */
  readonly traceparent: string;
  /** Adds facts that are known only later. */
  note(facts: Facts): void;
  rename(name: string): void;
  /** @param error what ended it, or a word for that; of an error only its code or class is kept */
  end(error?: unknown): void;
}

/**
 * The spans of one service. A context is handed on in requests, commands, events and journals, and never guessed from
 * the flow of the program: what has no recorded parent costs nothing.
 */
export interface Spans {
  /** @returns undefined when it is not recorded and no trace may begin here */
  start(name: string, options: SpanOptions): OpenSpan | undefined;
}

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

/** Nothing is traced. */
export const noSpans: Spans = { start: () => undefined };

/** Does work within a span. @param work is given the context for what it causes */
export async function inSpan<T>(
  spans: Spans,
  name: string,
  options: SpanOptions,
  work: (traceparent: string | undefined, span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = spans.start(name, options);
  if (span === undefined) return work(options.parent, undefined);
  try {
    const result = await work(span.traceparent, span);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** The part of a W3C trace context that goes through every envelope. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Reads a `traceparent` (W3C Trace Context, level 1); undefined when there is none or it is malformed. */
export function readTraceparent(text: string | undefined): TraceContext | undefined {
  const match = text === undefined ? null : form.exec(text);
  if (match === null) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = match;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

export const writeTraceparent = ({ traceId, spanId, traceFlags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`;

/** Whether somebody records what a context stands for. Asked of every message: most say no with their last digit. */
export const isRecorded = (text: string | undefined): boolean =>
  text !== undefined && '13579bdf'.includes(text.at(54) ?? '-') && form.test(text);
