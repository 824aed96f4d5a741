import { createServer, type Server } from 'node:http';
import type { Metrics } from '@messaging-gateway/runtime';
import { OpenConnections } from './drain.ts';
import { listen } from './listen.ts';

export interface MetricsServer {
  readonly server: Server;
  readonly connections: OpenConnections;
}

/** Prometheus metrics on a port of their own, at `/metrics`. */
export async function startMetricsServer(metrics: Metrics, port: number, host: string): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const connections = new OpenConnections(server);
  await listen(server, port, host, 'METRICS_PORT');
  return { server, connections };
}
