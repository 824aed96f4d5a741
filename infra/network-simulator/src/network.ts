import type { Connection } from './connection/connection.ts';
import { Groups } from './groups/groups.ts';
import { serverIdentity, type ServerIdentity } from './keys/certificates.ts';
import { MediaHost } from './media/host.ts';
import { Pairing } from './pairing/pairing.ts';
import { Directory } from './people/directory.ts';
import { Statistics } from './statistics.ts';

export type ClientVersion = [number, number, number];

/** How the network treats everybody. Times in milliseconds. */
export type NetworkSettings = {
  /** Older clients are refused at login with 405. */
  clientVersionMinimum: ClientVersion;
  /** While false, connections are refused with HTTP 503 before the WebSocket opens. */
  acceptConnections: boolean;
  /** By how much acknowledgements of messages are late. */
  ackDelayMs: number;
  /** By how much everything that the server sends is late. */
  latencyMs: number;
  /** Every n-th message stanza costs its client the connection, after the stanza is taken and before the ack; 0 never. */
  dropEveryNth: number;
  /** While false, the media host refuses uploads with 503. */
  acceptUploads: boolean;
  /** While false, queries for the state of accounts stay unanswered. */
  answerAppState: boolean;
  /** While true, files that are uploaded or fetched stand still half-way. */
  stallTransfers: boolean;
  /** `lazy` shows messages unread and decrypts them, in order, when somebody looks. */
  decrypt: 'eager' | 'lazy';
};

const ORDINARY: NetworkSettings = {
  clientVersionMinimum: [0, 0, 0],
  acceptConnections: true,
  ackDelayMs: 0,
  latencyMs: 0,
  dropEveryNth: 0,
  acceptUploads: true,
  answerAppState: true,
  stallTransfers: false,
  decrypt: 'eager',
};

export type Log = (line: Record<string, unknown>) => void;

/** Everything that the simulated network knows; kept in memory for as long as the simulator runs. */
export class Network {
  readonly identity: ServerIdentity;
  readonly log: Log;
  /** Called when a client was linked or unlinked. */
  onLinks: () => void = () => {};
  readonly statistics = new Statistics();
  readonly settings: NetworkSettings = { ...ORDINARY };
  readonly connections = new Set<Connection>();
  readonly pairing = new Pairing(this);
  readonly media: MediaHost;
  directory: Directory;
  groups = new Groups();
  private readonly seed: string;

  /** @param name how clients call this machine */
  constructor(seed: string, log: Log, name: string) {
    this.seed = seed;
    this.log = log;
    this.identity = serverIdentity(seed);
    this.directory = new Directory(seed);
    this.media = new MediaHost(seed, name, {
      accepts: () => this.settings.acceptUploads,
      stalls: () => {
        if (this.settings.stallTransfers) this.statistics.network.transfersStalled += 1;
        return this.settings.stallTransfers;
      },
    });
  }

  /** Forgets everybody and everything but its own keys, and drops all connections. */
  reset(): void {
    for (const connection of this.connections) connection.drop();
    this.pairing.forget();
    this.directory = new Directory(this.seed);
    this.groups = new Groups();
    Object.assign(this.settings, ORDINARY);
    this.statistics.reset();
    this.media.files.clear();
    this.onLinks();
  }
}
