import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

/** A way to a server that can be cut, as when a network fails: nothing is refused, nothing arrives any more. */
export interface Severable {
  /** Loopback port to use instead of the server's. */
  readonly port: number;
  /** From now on no byte passes in either direction; connections stay open, new ones are taken and stay silent. */
  cut(): void;
  /** Connections from before the cut are reset, as after a long failure; new ones reach the server. */
  heal(): void;
  /** Connections until now are reset; new ones reach the server of another port. */
  lead(port: number): void;
  close(): Promise<void>;
}

/** @param port the server's, on loopback */
export function severable(port: number): Promise<Severable> {
  let target = port;
  const pairs = new Set<readonly Socket[]>();
  let whole = true;
  const destroyAll = (): void => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy();
    pairs.clear();
  };
  const proxy = createServer((client) => {
    const sockets = whole ? joined(client, connect(target, '127.0.0.1')) : [client];
    pairs.add(sockets);
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.on('close', () => pairs.delete(sockets));
    }
    if (!whole) client.pause();
  });
  return new Promise((resolve, reject) => {
    proxy.on('error', reject);
    proxy.listen(0, '127.0.0.1', () => {
      const address = proxy.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        cut: () => {
          whole = false;
          for (const [client, server] of pairs) {
            if (server !== undefined) client?.unpipe(server).pause();
            if (client !== undefined) server?.unpipe(client).pause();
          }
        },
        heal: () => {
          whole = true;
          destroyAll();
        },
        lead: (other) => {
          target = other;
          destroyAll();
        },
        close: () => {
          destroyAll();
          return new Promise((closed) => proxy.close(() => closed()));
        },
      });
    });
  });
}

function joined(client: Socket, server: Socket): readonly Socket[] {
  client.setNoDelay(true).pipe(server.setNoDelay(true));
  server.pipe(client);
  client.on('close', () => server.destroy());
  server.on('close', () => client.destroy());
  return [client, server];
}
