export { tracedEvents } from './ports/events.ts';
export { tracedOperations } from './ports/operations.ts';
export { tracingSettings } from './settings.ts';
export { inSpan, noSpans } from './spans.ts';
export type { Spans, Tracing } from './spans.ts';
export { isRecorded } from './spans.ts';
export { startTracing } from './tracing.ts';
