import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { DEF_MEDIA_HOST, getMediaKeys, type MediaType } from '@whiskeysockets/baileys';
import { request, type Dispatcher } from 'undici';
import { MediaGone } from '../../engine.ts';

export interface MediaHosts {
  /** The network's own, `https://host`; undefined: the real network. */
  readonly network: URL | undefined;
  readonly dispatcher: Dispatcher | undefined;
}

/** Where something is on the network's media host, and its key. */
export interface Deposited {
  /** Base64. */
  readonly key: string;
  readonly directPath?: string;
  readonly url?: string;
}

/** Bytes of the authentication code at the end of what is encrypted. */
const codeBytes = 10;
const silenceMs = 20_000;
/** Answers after which media will not come back. */
const gone = new Set([401, 403, 404, 410]);

/**
 * The media that were deposited, decrypted as they come. The stream fails when it was changed on its way. The client library's own
 * download ends the process when the connection breaks, and follows whatever address a message names.
 *
 * @throws MediaGone
 */
export async function downloaded(
  deposited: Deposited,
  type: MediaType,
  hosts: MediaHosts,
  signal: AbortSignal,
): Promise<Readable> {
  const { statusCode, body } = await request(addressOf(deposited, hosts.network), {
    ...(hosts.dispatcher !== undefined && { dispatcher: hosts.dispatcher }),
    headers: { origin: 'https://web.whatsapp.com' },
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    signal,
  });
  if (statusCode !== 200) {
    body.on('error', () => undefined).destroy();
    const reason = `The media host answered ${statusCode}.`;
    throw gone.has(statusCode) ? new MediaGone(reason) : new Error(reason);
  }
  const { iv, cipherKey, macKey } = await getMediaKeys(Buffer.from(deposited.key, 'base64'), type);
  if (macKey === undefined || macKey === null) throw new MediaGone('The media have no key.');
  return Readable.from(decrypted(body, { iv, cipherKey, macKey }), { objectMode: false });
}

/**
 * Senders name the host, so it is checked: media of the real network come from its own hosts, and those of another
 * network from the machine that the engine is pointed to.
 */
function addressOf({ directPath, url }: Deposited, network: URL | undefined): URL {
  const named = url === undefined ? null : URL.parse(url);
  const path = directPath !== undefined && /^\/(?!\/)/.test(directPath) ? directPath : undefined;
  if (network === undefined && path !== undefined) return below(new URL(`https://${DEF_MEDIA_HOST}`), path);
  if (named === null || !isOfNetwork(named, network)) throw elsewhere();
  return path === undefined ? named : below(named, path);
}

/** The address of a path below a host: a text that looks like a path can name another host all the same (`/\host`). */
function below(host: URL, path: string): URL {
  const address = URL.parse(path, host.href);
  if (address?.origin !== host.origin) throw elsewhere();
  return address;
}

const elsewhere = (): MediaGone => new MediaGone('The media are not on a host of the network.');

function isOfNetwork({ protocol, hostname, port }: URL, network: URL | undefined): boolean {
  if (network === undefined) return protocol === 'https:' && port === '' && hostname.endsWith('.whatsapp.net');
  return /^https?:$/.test(protocol) && hostname === network.hostname;
}

async function* decrypted(
  body: AsyncIterable<Buffer>,
  { iv, cipherKey, macKey }: Readonly<Record<'iv' | 'cipherKey' | 'macKey', Uint8Array>>,
): AsyncGenerator<Buffer> {
  const code = createHmac('sha256', macKey).update(iv);
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  let held = Buffer.alloc(0);
  for await (const part of body) {
    const all = Buffer.concat([held, part]);
    const until = Math.max(0, all.length - codeBytes);
    held = all.subarray(until);
    if (until === 0) continue;
    const encrypted = all.subarray(0, until);
    code.update(encrypted);
    yield decipher.update(encrypted);
  }
  if (held.length < codeBytes || !timingSafeEqual(code.digest().subarray(0, codeBytes), held))
    throw new MediaGone('The media are not those that were sent.');
  yield decipher.final();
}
