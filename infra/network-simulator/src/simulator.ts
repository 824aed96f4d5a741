import { randomUUID } from 'node:crypto';
import { listen } from './connection/listener.ts';
import type { SimulatorControl } from './control/contract.ts';
import { controlServer } from './control/server.ts';
import { verbs } from './control/verbs.ts';
import { authorityFile } from './media/authority-file.ts';
import { Network, type Log } from './network.ts';
import { withPhonesPage } from './page/phones.ts';
import { keepLinks, restoreLinks } from './people/kept-links.ts';

export type SimulatorOptions = {
  /** 0, the default, takes any free port. */
  port?: number;
  host?: string;
  /** How clients call this machine; `host` by default. */
  name?: string;
  /** Gets facts about connections, logins and failures; never a text or a whole number. */
  log?: Log;
  /** Seed of keys and LIDs: the same one gives the same; a new one by default. */
  seed?: string;
  /** Port of the media host; 0, the default, takes any free one. */
  mediaPort?: number;
  /** Where to write the certificate that clients have to trust for media; a new temporary file by default. */
  caFile?: string;
  /** File that keeps who is linked over a restart with the same seed; by default it is forgotten. */
  linksFile?: string;
  /** Base address of the gateway beside it, which the page of phones asks for QR codes. */
  gateway?: string;
};

export type Simulator = SimulatorControl & {
  /** WebSocket address for clients: ws://HOST:PORT/ws/chat. */
  url: string;
  /** The public key, in hex, that clients have to trust: it signs the handshake's certificates. */
  rootKey: string;
  /** PEM of the authority that clients have to trust for media, and the file that it is written to. */
  ca: string;
  caFile: string;
  /** The media host's name and port. */
  mediaHost: string;
  /** Base address of the control API: http://HOST:PORT. */
  control: string;
  stop(): Promise<void>;
};

export async function startSimulator({
  port = 0,
  host = '127.0.0.1',
  log = () => {},
  seed = randomUUID(),
  mediaPort = 0,
  caFile,
  name = host,
  linksFile,
  gateway,
}: SimulatorOptions = {}): Promise<Simulator> {
  const network = new Network(seed, log, name);
  if (linksFile !== undefined) {
    restoreLinks(network, linksFile);
    network.onLinks = () => keepLinks(network, linksFile);
  }
  const control = verbs(network);
  const listener = await listen(network, withPhonesPage({ control, gateway }, controlServer(control)), port, host);
  await network.media.start(mediaPort, host);
  const certificate = authorityFile(network.media.authority, caFile);
  const address = `${host}:${listener.port}`;
  return {
    ...control,
    url: `ws://${address}/ws/chat`,
    control: `http://${address}`,
    rootKey: network.identity.root.toString('hex'),
    ca: network.media.authority,
    caFile: certificate.path,
    mediaHost: network.media.name,
    stop: async () => {
      certificate.remove();
      for (const connection of network.connections) connection.drop();
      network.pairing.forget();
      await Promise.all([listener.stop(), network.media.stop()]);
    },
  };
}
