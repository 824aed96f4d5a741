import { connect, createServer, type Socket } from 'node:net';

/** A server that comes up late: from now on `port` leads to it. @returns closes the way */
export function openWay(port: number, target: string): Promise<() => Promise<void>> {
  const { hostname, port: to } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(Number(to), hostname);
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => (client.destroy(), onward.destroy()));
    }
    client.pipe(onward).pipe(client);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () =>
      resolve(async () => {
        for (const socket of sockets) socket.destroy();
        await new Promise((closed) => server.close(closed));
      }),
    );
  });
}
