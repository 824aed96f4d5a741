import { noSpans, tracedCommands, tracedEvents, tracedOperations, type Spans } from '@messaging-gateway/tracing';
import type { Host, Ports } from './ports.ts';

/** The host as a service sees it: with spans at its ports when there are traces, else as it is. */
export function traced(host: Host, service: string): { readonly host: Host; readonly spans: Spans } {
  const spans = host.tracing?.of(service);
  return spans === undefined
    ? { host, spans: noSpans }
    : { host: { ...host, ports: portsIn(spans, host.ports) }, spans };
}

const portsIn = (spans: Spans, { operations, commands, events }: Ports): Ports => ({
  operations: tracedOperations(operations, spans),
  commands: tracedCommands(commands, spans),
  events: tracedEvents(events, spans),
});
