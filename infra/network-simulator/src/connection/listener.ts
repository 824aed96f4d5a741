import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Network } from '../network.ts';
import { Connection } from './connection.ts';
import { reception } from './reception.ts';

const PATH = '/ws/chat';
const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

export interface Listener {
  readonly port: number;
  /** Hangs up on everybody. */
  stop(): Promise<void>;
}

/** Listens for clients (WebSocket) and for the control API (HTTP) on one port. */
export async function listen(
  network: Network,
  requests: RequestListener,
  port: number,
  host: string,
): Promise<Listener> {
  const server = createServer(requests);
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const events = reception(network);
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (!network.settings.acceptConnections || !request.url?.startsWith(PATH)) {
      network.statistics.network.connectionsRefused += 1;
      socket.end(UNAVAILABLE);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      network.connections.add(new Connection(webSocket, network, events));
      network.statistics.network.connections += 1;
      network.statistics.network.connectionsOpened += 1;
    });
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
  await promise;
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      for (const socket of sockets.clients) socket.terminate();
      await closed;
    },
  };
}
