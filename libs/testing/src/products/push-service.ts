import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { newProtection } from '../servers/secured/protection.ts';

/** What a browser says of its subscription. */
export interface SubscriptionJson {
  readonly endpoint: string;
  readonly expirationTime: null;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A push as its browser reads it. */
interface ReceivedPush {
  readonly endpoint: string;
  readonly headers: IncomingHttpHeaders;
  readonly payload: { id: string; type: string; title: string; body: string; tag: string; url: string };
  /** Bytes of the payload. */
  readonly length: number;
  /** Of whom its VAPID token is, and says to be: the signature holds. */
  readonly by: string;
  readonly claims: { aud: string; exp: number; sub: string };
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A status, or no answer at all; `retryAfter`: the header. */
type PushBehaviour = number | 'hanging' | { readonly status: number; readonly retryAfter: string };

/** A push service on loopback, with TLS, and the browsers that have subscribed to it. */
export interface FakePushService {
  /** PEM of the authority that has signed its certificate. */
  readonly authority: string;
  /** What browsers were given: only what was answered 201. */
  readonly pushed: readonly ReceivedPush[];
  /** Requests, whatever was answered. */
  readonly asked: readonly { readonly endpoint: string; readonly at: number }[];
  subscribe(): SubscriptionJson;
  /** From now on, and for who hangs; of one endpoint, or all. 201 at first. */
  behave(behaviour: PushBehaviour, endpoint?: string): void;
  stop(): Promise<void>;
}

export async function startPushService(): Promise<FakePushService> {
  const { key, certificate, authority } = newProtection();
  const browsers = new Map<string, { readonly ecdh: ECDH; readonly auth: Buffer }>();
  const pushed: ReceivedPush[] = [];
  const asked: { endpoint: string; at: number }[] = [];
  const behaviours = new Map<string, PushBehaviour>();
  const hanging = new Map<ServerResponse, string>();
  let usual: PushBehaviour = 201;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const endpoint = `${origin}${request.url}`;
    asked.push({ endpoint, at: Date.now() });
    const behaviour = behaviours.get(endpoint) ?? usual;
    if (behaviour === 'hanging') return void hanging.set(response, endpoint);
    const { status, retryAfter } =
      typeof behaviour === 'number' ? { status: behaviour, retryAfter: undefined } : behaviour;
    const browser = browsers.get(endpoint);
    if (status === 201 && browser !== undefined) {
      const plain = decrypted(Buffer.concat(pieces), browser.ecdh, browser.auth);
      pushed.push({
        endpoint,
        headers: request.headers,
        payload: JSON.parse(plain.toString()) as ReceivedPush['payload'],
        length: plain.length,
        ...whoseToken(request.headers.authorization ?? ''),
        at: Date.now(),
      });
    }
    response.writeHead(
      browser === undefined ? 404 : status,
      retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    );
    response.end();
  };
  const server = createServer({ key, cert: certificate }, (request, response) => {
    take(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    authority,
    pushed,
    asked,
    subscribe: () => {
      const ecdh = createECDH('prime256v1');
      const auth = randomBytes(16);
      const endpoint = `${origin}/push/${randomBytes(16).toString('base64url')}`;
      const p256dh = ecdh.generateKeys('base64url');
      browsers.set(endpoint, { ecdh, auth });
      return { endpoint, expirationTime: null, keys: { p256dh, auth: auth.toString('base64url') } };
    },
    behave: (behaviour, endpoint) => {
      if (endpoint === undefined) usual = behaviour;
      else behaviours.set(endpoint, behaviour);
      if (typeof behaviour !== 'number') return;
      for (const [response, of] of hanging) {
        if (endpoint !== undefined && endpoint !== of) continue;
        hanging.delete(response);
        response.writeHead(behaviour).end();
      }
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const derived = (secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** One record of `aes128gcm` (RFC 8188), with the keys of RFC 8291. */
function decrypted(body: Buffer, ecdh: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const idEnd = 21 + body.readUInt8(20);
  const sender = body.subarray(21, idEnd);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derived(ecdh.computeSecret(sender), auth, info, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(idEnd, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2));
}

/** @throws Error when the signature of the token does not hold (RFC 8292) */
function whoseToken(header: string): Pick<ReceivedPush, 'by' | 'claims'> {
  const [, token = '', by = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(by, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('The token is not signed with its key.');
  return { by, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as ReceivedPush['claims'] };
}
