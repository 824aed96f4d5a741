import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '@messaging-gateway/runtime';

export type Check = 'up' | 'down';

/** The answer of `/ready`. */
export interface ProcessState {
  readonly status: 'ready' | 'starting' | 'draining' | 'unavailable';
  readonly checks: Readonly<Record<string, Check>>;
}

export interface HealthServerOptions {
  readonly service: string;
  readonly port: number;
  readonly host: string;
  readonly metrics: Metrics;
  readonly state: () => Promise<ProcessState>;
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/health` (the process is alive), `/ready` (200 or 503, each part that is needed), `/serving` (200 from the end of the start
 * until the stop, whatever is away meanwhile: for those who send requests) and `/metrics`.
 *
 * @throws Error with a line for the operator when the port can't be had
 */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    answer(options, request.url?.split('?')[0] ?? '', response).catch(() => response.writeHead(500).end());
  });
  server.unref();
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { service, metrics, state }: HealthServerOptions,
  path: string,
  response: ServerResponse,
): Promise<void> {
  if (path === '/health') return json(response, 200, { status: 'ok', service });
  if (path === '/metrics') {
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.metrics());
    return;
  }
  if (path !== '/ready' && path !== '/serving') return json(response, 404, { error: 'NOT_FOUND' });
  const now = await state();
  const serves = now.status === 'ready' || (path === '/serving' && now.status === 'unavailable');
  json(response, serves ? 200 : 503, { service, ...now });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function listen(server: Server, { port, host }: HealthServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken =
        error.code === 'EADDRINUSE' ? 'is used by another program' : `can't be opened on ${host} (${error.code})`;
      reject(new Error(`HEALTH_PORT ${port} ${taken}.`, { cause: error }));
    });
    server.listen(port, host, () => resolve());
  });
}
