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
