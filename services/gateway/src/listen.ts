import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a server. @returns its port
 *
 * @throws Error with a line for the operator when the port can't be had
 */
export function listen(server: Server, port: number, host: string, variable: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken =
        error.code === 'EADDRINUSE' ? 'is used by another program' : `can't be opened on ${host} (${error.code})`;
      reject(new Error(`${variable} ${port} ${taken}.`, { cause: error }));
    });
    server.listen(port, host, () => resolve(portOf(server)));
  });
}

/** Port of a server that listens. */
export const portOf = (server: Server): number => (server.address() as AddressInfo).port;
