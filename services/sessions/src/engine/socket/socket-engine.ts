import { readFileSync } from 'node:fs';
import { Agent as HttpsAgent } from 'node:https';
import { type Clock, type Logger, Slots } from '@messaging-gateway/runtime';
import { type SocketConfig, WA_CERT_DETAILS, type WAVersion } from '@whiskeysockets/baileys';
import { Agent } from 'undici';
import type { Capability, Engine } from '../engine.ts';
import type { MakePreview } from '../../link-preview/link-previews.ts';
import { keysAsObjects } from './library/adaptations.ts';
import { downloaded, type MediaHosts } from './receiving/media-download.ts';
import { removeLeftFiles } from './sending/uploading.ts';
import { SocketSession } from './socket-session.ts';
import { libraryDownloads } from './library/library-downloads.ts';

/** Each is a temporary file. */
const uploadsAtOnce = 6;

const capabilities: ReadonlySet<Capability> = new Set([
  'pairing-code',
  'read-receipts',
  'typing',
  'presence',
  'groups',
  'text',
  'image',
  'video',
  'audio',
  'document',
  'location',
  'contact',
  'poll',
  'reaction',
  'delete',
]);

interface SocketTools {
  readonly clock: Clock;
  readonly log: Logger;
  /** Of links in texts that ask for it. */
  readonly preview: MakePreview;
}

/** The engine that speaks the network's own protocol over a WebSocket. */
export function socketEngine(settings: SocketSettings, tools: SocketTools): Engine {
  keysAsObjects();
  const network = networkOf(settings);
  const slots = new Slots(uploadsAtOnce);
  void removeLeftFiles(tools.clock.now()).catch(() => undefined);
  return {
    kind: 'socket-engine',
    capabilities,
    session: (parts) => new SocketSession({ ...parts, ...tools, network: network.configuration, slots }),
    download: (attachment, signal) => downloaded(attachment, attachment.type, network.hosts, signal),
  };
}

/** Where the socket engine connects to. All absent: the real network. */
export interface SocketSettings {
  readonly url: string | undefined;
  /** Hex public key that signs the certificates of the handshake. */
  readonly rootKey: string | undefined;
  /** Certificates of authorities beside the usual ones, for the connection and for media. */
  readonly caFile: string | undefined;
  readonly clientVersion: WAVersion | undefined;
}

/** Which network it is, for the library and for what fetches media; the root key counts for the whole process. */
interface Network {
  readonly configuration: Partial<SocketConfig>;
  readonly hosts: MediaHosts;
}

function networkOf({ url, rootKey, clientVersion, caFile }: SocketSettings): Network {
  if (rootKey !== undefined) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(rootKey, 'hex');
  const ca = caFile === undefined ? undefined : readFileSync(caFile);
  const dispatcher = ca === undefined ? undefined : new Agent({ connect: { ca: ca.toString() } });
  return {
    configuration: {
      ...(url !== undefined && { waWebSocketUrl: url }),
      ...(clientVersion !== undefined && { version: clientVersion }),
      ...(ca !== undefined && trusting(ca, url)),
      options: { dispatcher: libraryDownloads(ca?.toString(), url === undefined) } as unknown as RequestInit,
    },
    hosts: { network: url === undefined ? undefined : new URL(url), dispatcher },
  };
}

/** The library connects and uploads through node:https. */
function trusting(ca: Buffer, url: string | undefined): Partial<SocketConfig> {
  const agent = new HttpsAgent({ ca, keepAlive: true });
  return {
    // An agent for TLS refuses connections without it.
    ...(url?.startsWith('ws:') !== true && { agent }),
    fetchAgent: agent,
  };
}
