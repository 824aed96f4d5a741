import { noSpans, tracedEvents, tracedOperations, type Spans } from '@messaging-gateway/tracing';
import type { Host, Ports } from './ports.ts';

/** The host as a service sees it: with spans at its ports when there are traces, else as it is. */
export function traced(host: Host, service: string): { readonly host: Host; readonly spans: Spans } {
  const spans = host.tracing?.of(service);
  return spans === undefined
    ? { host, spans: noSpans }
    : { host: { ...host, ports: portsIn(spans, host.ports) }, spans };
}

const portsIn = (spans: Spans, ports: Ports): Ports => ({
  ...ports,
  operations: tracedOperations(ports.operations, spans),
  events: tracedEvents(ports.events, spans),
});
