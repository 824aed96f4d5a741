import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PagesHandler } from '@messaging-gateway/admin-pages';

/**
 * Serves the built web UI, and `/health` and `/ready` for who watches it.
 *
 * @throws Error with a line for the operator when the port can't be had
 */
export async function servePages(pages: PagesHandler, { port, host }: { port: number; host: string }): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    if (path === '/health' || path === '/ready') return json(response, 200, { status: 'ok', service: 'admin' });
    pages(request, response, () => json(response, 404, { error: 'NOT_FOUND' }));
  });
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const fault = code === 'EADDRINUSE' ? 'is used by another program' : `can't be opened on ${host} (${code})`;
      reject(new Error(`ADMIN_PORT ${port} ${fault}.`));
    });
    server.listen(port, host, resolve);
  });
  return server;
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
