import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { ServerKind } from '../server.ts';
import type { Change, Keeper } from './keeper.ts';

/**
 * How test processes reach the keeper, on loopback:
 * `POST /shared/<kind>` → address, `POST /own/<kind>` and `/own/<kind>/secured` → id and address, `POST /servers/<id>/<kill|start|stop|pause|resume|drop>`.
 */
export function openDoor(keeper: Keeper): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    // A connection that was kept, and is closed just when a busy test uses it again, would fail that test.
    response.setHeader('connection', 'close');
    answer(keeper, request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  // Starting a server takes its time; the one who asks decides how long to wait.
  server.requestTimeout = 0;
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 });
    }),
  );
}

async function answer(keeper: Keeper, request: IncomingMessage): Promise<unknown> {
  const [, room, name, change] = (request.url ?? '').split('/');
  if (room === 'shared') return keeper.shared(name as ServerKind);
  if (room === 'own') return keeper.own(name as ServerKind, change === 'secured');
  if (room === 'servers' && name !== undefined) await keeper.change(name, change as Change);
  return {};
}
