import { createServer, type Server } from 'node:http';
import type { Metrics } from '@messaging-gateway/runtime';
import { listen } from './listen.ts';

/** Prometheus metrics on a port of their own, at `/metrics`. */
export async function startMetricsServer(metrics: Metrics, port: number, host: string): Promise<Server> {
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
  await listen(server, port, host, 'METRICS_PORT');
  return server;
}
