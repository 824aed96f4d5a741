import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { STATUS_CODES } from 'node:http';
import { Refused } from '@messaging-gateway/messaging';
import { errorAnswer } from '../request/error-answer.ts';

/** Refusals of requests that the server's parser could not read, by its code. */
const faults: Readonly<Record<string, () => Refused>> = {
  HPE_HEADER_OVERFLOW: () =>
    new Refused('HEADERS_TOO_LARGE', 'The path with its query and the headers are larger than 16 KiB together.'),
};
const notHttp = (): Refused => new Refused('VALIDATION_ERROR', 'This is not an HTTP request.');

/** Answers what cannot be read as a request like any other error, and closes its connection. */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!isParsing(error) || !isFree(socket)) socket.destroy();
    else socket.end(textOf((faults[error.code ?? ''] ?? notHttp)()), () => socket.destroy());
  });
}

/** Not a connection that broke, or that said nothing for too long. */
const isParsing = ({ code = '' }: NodeJS.ErrnoException): boolean => code.startsWith('HPE_');

/** Whether nothing of another answer has been written: the server keeps the one under way here. */
function isFree(socket: Duplex): boolean {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  return socket.writable && (answer ?? undefined)?.headersSent !== true;
}

function textOf(refused: Refused): string {
  const requestId = randomUUID();
  const { status, body } = errorAnswer(refused, requestId);
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    '',
    text,
  ].join('\r\n');
}
