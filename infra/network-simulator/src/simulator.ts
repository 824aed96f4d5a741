import { randomUUID } from 'node:crypto';
import { listen, portOf } from './connection/listener.ts';
import type { SimulatorControl } from './control/contract.ts';
import { controlServer } from './control/server.ts';
import { verbs } from './control/verbs.ts';
import { Network, type Log } from './network.ts';

export type SimulatorOptions = {
  /** 0, the default, takes any free port. */
  port?: number;
  host?: string;
  /** Gets facts about connections, logins and failures; never a text or a whole number. */
  log?: Log;
  /** The same seed gives the same keys and LIDs; a new one by default. */
  seed?: string;
};

export type Simulator = SimulatorControl & {
  /** WebSocket address for clients: ws://HOST:PORT/ws/chat. */
  url: string;
  /** The public key, in hex, that clients have to trust: it signs the handshake's certificates. */
  rootKey: string;
  /** Base address of the control API: http://HOST:PORT. */
  control: string;
  stop(): Promise<void>;
};

export async function startSimulator({
  port = 0,
  host = '127.0.0.1',
  log = () => {},
  seed = randomUUID(),
}: SimulatorOptions = {}): Promise<Simulator> {
  const network = new Network(seed, log);
  const control = verbs(network);
  const server = await listen(network, controlServer(control), port, host);
  const address = `${host}:${portOf(server)}`;
  return {
    ...control,
    url: `ws://${address}/ws/chat`,
    control: `http://${address}`,
    rootKey: network.identity.root.toString('hex'),
    stop: async () => {
      for (const connection of network.connections) connection.drop();
      network.pairing.forget();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}
