import { readFileSync } from 'node:fs';
import { Agent as HttpsAgent } from 'node:https';
import { WA_CERT_DETAILS, type SocketConfig, type WAVersion } from '@whiskeysockets/baileys';
import { Agent as Dispatcher } from 'undici';

/** Where the socket engine connects to. All absent: the real network. */
export interface SocketSettings {
  readonly url: string | undefined;
  /** Hex public key that signs the certificates of the handshake. */
  readonly rootKey: string | undefined;
  /** Certificates of authorities beside the usual ones, for the connection and for media. */
  readonly caFile: string | undefined;
  readonly clientVersion: WAVersion | undefined;
}

/** The part of the library's configuration that says which network it is; the root key counts for the whole process. */
export function networkConfiguration(settings: SocketSettings): Partial<SocketConfig> {
  if (settings.rootKey !== undefined) WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(settings.rootKey, 'hex');
  return {
    ...(settings.url !== undefined && { waWebSocketUrl: settings.url }),
    ...(settings.clientVersion !== undefined && { version: settings.clientVersion }),
    ...trusting(settings.caFile),
  };
}

function trusting(caFile: string | undefined): Partial<SocketConfig> {
  if (caFile === undefined) return {};
  const ca = readFileSync(caFile);
  const agent = new HttpsAgent({ ca, keepAlive: true });
  const dispatcher = new Dispatcher({ connect: { ca: ca.toString() } });
  return { agent, fetchAgent: agent, options: { dispatcher } as unknown as RequestInit };
}
