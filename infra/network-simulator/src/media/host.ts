import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostCertificate } from './certificates.ts';
import { sha256 } from './cipher.ts';
import { isPathOfFile, MediaFiles, type EncryptedFile } from './files.ts';

const UPLOAD = /^\/mms\/([a-z-]+)\/([\w-]+)$/;
const RANGE = /^bytes=(\d+)-(\d*)$/;
const LARGEST_FILE = 150 * 1024 * 1024;

class MediaRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** How the host behaves at this moment. */
export type Mood = {
  /** Whether files are taken; they are refused with 503 otherwise. */
  accepts(): boolean;
  /** Whether a transfer that begins now stands still half-way. */
  stalls(): boolean;
};

/**
 * The host that clients upload files to and fetch them from, over HTTPS.
 * It knows ciphertext only, takes it under the name of its hash and from whoever holds the word that the network gave out.
 */
export class MediaHost {
  readonly files = new MediaFiles();
  /** The word that clients have to bring with an upload. */
  readonly word = randomBytes(24).toString('base64url');
  /** PEM of the authority that signed the host's certificate. */
  readonly authority: string;
  private readonly server: Server;
  private readonly hostName: string;
  private readonly mood: Mood;

  constructor(seed: string, hostName: string, mood: Mood) {
    this.hostName = hostName;
    this.mood = mood;
    const { key, certificate, authority } = hostCertificate(seed, hostName);
    this.authority = authority;
    this.server = createServer({ key, cert: certificate }, (request, response) => {
      this.answer(request, response).catch((error: unknown) => refuse(response, error));
    });
  }

  /** Host name with port, as clients are told. */
  get name(): string {
    return `${this.hostName}:${(this.server.address() as AddressInfo).port}`;
  }

  async start(port: number, host: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.server.once('error', reject).listen(port, host, resolve);
    await promise;
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    this.server.closeAllConnections();
    await promise;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://media');
    const upload = UPLOAD.exec(pathname);
    if (request.method === 'POST' && upload !== null) {
      const [, kind = '', token = ''] = upload;
      if (searchParams.get('auth') !== this.word) throw new MediaRefusal(401, 'auth is not what the network gave out');
      const path = await this.take(request, kind, token);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ url: `https://${this.name}${path}`, direct_path: path, handle: token }));
      return;
    }
    const file = isPathOfFile(pathname) ? this.files.get(pathname) : undefined;
    if (request.method !== 'GET' || file === undefined) throw new MediaRefusal(404, 'no such file');
    give(response, this.mood.stalls() ? { ...file, stalled: true } : file, request.headers.range);
  }

  private async take(request: IncomingMessage, kind: string, token: string): Promise<string> {
    if (!this.mood.accepts()) throw new MediaRefusal(503, 'uploads are refused');
    if (this.mood.stalls()) await halfOf(request);
    const bytes = await bodyOf(request);
    if (sha256(bytes).toString('base64url') !== token)
      throw new MediaRefusal(400, 'the token is not the hash of the file');
    return this.files.put(kind, token, bytes);
  }
}

/** Reads a part of an upload and then no more, until the client is gone. */
async function halfOf(request: IncomingMessage): Promise<never> {
  const enough = Number(request.headers['content-length'] ?? 0) >> 1;
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size >= enough) break;
  }
  await new Promise((resolve) => request.socket.once('close', resolve));
  throw new MediaRefusal(408, 'the client is gone');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > LARGEST_FILE) throw new MediaRefusal(413, 'the file is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function give(response: ServerResponse, { bytes, stalled }: EncryptedFile, range = ''): void {
  const [, from, to] = RANGE.exec(range) ?? [];
  const start = Number(from ?? 0);
  const end = Math.min(to === undefined || to === '' ? bytes.length - 1 : Number(to), bytes.length - 1);
  if (start > end) throw new MediaRefusal(416, 'no such range');
  const part = bytes.subarray(start, end + 1);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': part.length };
  if (from === undefined) response.writeHead(200, headers);
  else response.writeHead(206, { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` });
  if (stalled) response.write(part.subarray(0, part.length >> 1));
  else response.end(part);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(error instanceof MediaRefusal ? error.status : 500, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: String(error) }));
}
