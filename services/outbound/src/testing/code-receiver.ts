import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server at OTP_FALLBACK_URL. */
export interface CodeReceiver {
  readonly url: string;
  /** Bodies that it was sent. */
  readonly called: unknown[];
  /** The status that it answers. */
  status: number;
  stop(): void;
}

export async function codeReceiver(): Promise<CodeReceiver> {
  const called: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      called.push(JSON.parse(body));
      response.writeHead(receiver.status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/otp`;
  const receiver: CodeReceiver = { url, called, status: 200, stop: () => void server.close() };
  return receiver;
}
