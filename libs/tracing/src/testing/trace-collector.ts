import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it arrived at the collector. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Absent at the root. */
  readonly parentSpanId?: string;
  /** 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Everything that came, as text. */
  readonly raw: string;
}

export interface TraceCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** Of each request that brought some. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Waits until the spans of a trace satisfy; fails with their names when they don't in time. */
  trace(traceId: string, satisfies: (spans: readonly CollectedSpan[]) => boolean): Promise<readonly CollectedSpan[]>;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
type SpanOnWire = Omit<CollectedSpan, 'service' | 'facts' | 'raw'> & { readonly attributes?: readonly Attribute[] };
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SpanOnWire[] }[];
  }[];
}

const patienceMs = 120_000;

/** A collector that takes traces over OTLP/HTTP in JSON, as a real one does, and keeps them. */
export async function traceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const take = (text: string): void => void spans.push(...spansOf(JSON.parse(text) as Export));
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end();
    headers.push(request.headers);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      take(Buffer.concat(chunks).toString());
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"partialSuccess":{}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    trace: async (traceId, satisfies) => {
      const until = performance.now() + patienceMs;
      for (;;) {
        const found = spans.filter((span) => span.traceId === traceId);
        if (satisfies(found)) return found;
        if (performance.now() > until)
          throw new Error(`The trace has only ${found.map(({ service, name }) => `${service}: ${name}`).join(', ')}.`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const spansOf = ({ resourceSpans }: Export): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ attributes = [], ...span }) => ({
        ...span,
        service: String(valuesOf(resource.attributes)['service.name']),
        facts: valuesOf(attributes),
        raw: JSON.stringify({ attributes, ...span }),
      })),
    ),
  );

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The services and names of a span and of all that led to it, the first one first. */
export function lineageOf(spans: readonly CollectedSpan[], last: CollectedSpan | undefined): string[] {
  if (last === undefined) return [];
  const parent = spans.find(({ spanId }) => spanId === last.parentSpanId);
  return [...lineageOf(spans, parent), `${last.service}: ${last.name}`];
}
