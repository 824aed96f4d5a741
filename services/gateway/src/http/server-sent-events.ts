import { once } from 'node:events';
import type { OperationReply, StreamSpec } from '@messaging-gateway/contracts';
import type { Request, Response } from 'express';
import type { Input } from './input.ts';

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

export interface StreamOptions {
  readonly spec: StreamSpec;
  /** Asks the owner once. */
  readonly ask: (query: Readonly<Record<string, unknown>>) => Promise<OperationReply>;
  /** @throws Refused when the credential no longer holds: nothing more goes out then */
  readonly stillAllowed: () => Promise<void>;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}

/** The owner may hold an empty answer back for so long; then a heartbeat goes out. */
const waitSeconds = 10;

export const wantsStream = (request: Request): boolean =>
  request.headers.accept?.includes('text/event-stream') === true;

/**
 * Answers with server-sent events until the client goes, the gateway stops or something fails: then the connection
 * ends, and the client's next one goes on after `Last-Event-ID`.
 */
export async function streamEvents(
  request: Request,
  response: Response,
  input: Input,
  options: StreamOptions,
): Promise<void> {
  const { spec, ask, stillAllowed, stopping } = options;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const ended = AbortSignal.any([gone.signal, stopping]);
  const stopped = new Promise<undefined>((resolve) =>
    ended.addEventListener('abort', () => resolve(undefined), { once: true }),
  );
  let cursor: unknown = request.headers['last-event-id'] ?? input.query[spec.cursorQuery];
  let wait = 0; // the first answer shows at once that the stream is open
  while (!ended.aborted) {
    const query = {
      ...input.query,
      ...(cursor !== undefined && { [spec.cursorQuery]: cursor }),
      [spec.waitQuery]: wait,
    };
    const reply = await Promise.race([ask(query), stopped]);
    if (reply === undefined) break;
    await stillAllowed();
    const { items, nextCursor } = reply.body as Page;
    if (!response.headersSent) open(response);
    await write(response, items.map((item) => eventText(item, spec)).join('') || ': nothing new\n\n', ended);
    cursor = nextCursor ?? cursor;
    wait = waitSeconds;
  }
  response.end();
}

function open(response: Response): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write('retry: 3000\n\n');
}

async function write(response: Response, text: string, ended: AbortSignal): Promise<void> {
  if (!response.write(text)) await once(response, 'drain', { signal: ended }).catch(() => undefined);
}

function eventText(item: Record<string, unknown>, { idField, eventField }: StreamSpec): string {
  const event = eventField === undefined ? '' : `event: ${String(item[eventField])}\n`;
  return `id: ${String(item[idField])}\n${event}data: ${JSON.stringify(item)}\n\n`;
}
