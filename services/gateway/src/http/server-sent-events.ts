import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Operation, StreamSpec } from '@messaging-gateway/contracts';
import { Refused, invalid } from '@messaging-gateway/messaging';
import type { Request, Response } from 'express';
import { type Authenticate, authorize } from '../access/authenticate.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { stateOf, type Input, type RequestState } from '../request/request-state.ts';

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

export interface StreamOptions {
  readonly dispatcher: Dispatcher;
  readonly authenticate: Authenticate;
  readonly streams: OpenStreams;
  /** Aborted when the gateway stops. */
  readonly stopping: AbortSignal;
}

/** The owner may hold an empty answer back for so long; then a heartbeat goes out. */
const waitSeconds = 10;

export const wantsStream = (request: Request): boolean =>
  request.headers.accept?.includes('text/event-stream') === true;

/**
 * Answers with server-sent events until the client goes, the gateway stops or something fails: then the connection
 * ends, and the client's next one goes on after `Last-Event-ID`. Nothing more goes out once the credential no longer holds.
 */
export function streamAnswering(
  operation: Operation,
  spec: StreamSpec,
  { dispatcher, authenticate, streams, stopping }: StreamOptions,
): (request: Request, response: Response, input: Input) => Promise<void> {
  return async (request, response, input) => {
    const { backQuery = '' } = spec;
    if (input.query[backQuery] !== undefined)
      throw invalid([{ path: `query.${backQuery}`, message: 'does not go with an event stream' }]);
    const state = stateOf(response);
    const over = streams.enter(operation, state);
    const ended = AbortSignal.any([closeOf(response), stopping]);
    const stopped = new Promise<undefined>((resolve) =>
      ended.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
    let cursor: unknown = request.headers['last-event-id'] ?? input.query[spec.cursorQuery];
    let wait = 0; // the first answer shows at once that the stream is open
    try {
      while (!ended.aborted) {
        const query = {
          ...input.query,
          ...(cursor !== undefined && { [spec.cursorQuery]: cursor }),
          [spec.waitQuery]: wait,
        };
        const sent = { resourceId: randomUUID(), repeated: false };
        const asked = dispatcher.send(operation, request, state, { ...input, query }, sent);
        const reply = await Promise.race([asked, stopped]);
        if (reply === undefined) break;
        if (operation.access !== 'public') {
          const before = reachOf(state);
          await authenticate(request, response);
          authorize(operation, state);
          // What was read with other rights is read again.
          if (reachOf(state) !== before) continue;
        }
        const { items, nextCursor } = reply.body as Page;
        if (!response.headersSent) open(response);
        await write(response, items.map((item) => eventText(item, spec)).join('') || quiet(spec, nextCursor), ended);
        cursor = nextCursor ?? cursor;
        wait = waitSeconds;
      }
      response.end();
    } finally {
      over();
    }
  };
}

function closeOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  return gone.signal;
}

function open(response: Response): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  response.write('retry: 3000\n\n');
}

/** A client that takes nothing for so long is sent away, milliseconds. */
const stalledMs = 60_000;

async function write(response: Response, text: string, ended: AbortSignal): Promise<void> {
  if (response.write(text)) return;
  const stalled = setTimeout(() => response.destroy(), stalledMs).unref();
  await once(response, 'drain', { signal: ended }).catch(() => undefined);
  clearTimeout(stalled);
}

/** Sign of life in a stream without news: where the contract says `heartbeat`, an event with an id to go on from; else a comment. */
const quiet = ({ heartbeat }: StreamSpec, cursor: string | null): string =>
  heartbeat === true
    ? `${cursor === null ? '' : `id: ${cursor}\n`}event: heartbeat\ndata: {}\n\n`
    : ': nothing new\n\n';

/** Permissions and profiles of the credential, as a text to compare. */
const reachOf = ({ caller }: RequestState): string => JSON.stringify([caller?.permissions, caller?.profileIds]);

function eventText(item: Record<string, unknown>, { idField, idOnly, eventField }: StreamSpec): string {
  const event = eventField === undefined ? '' : `event: ${String(item[eventField])}\n`;
  // JSON leaves out what is undefined.
  const data = JSON.stringify(idOnly === true ? { ...item, [idField]: undefined } : item);
  return `id: ${String(item[idField])}\n${event}data: ${data}\n\n`;
}

const usual = { organization: 100, credential: 100 };

/** Counts the event streams that are open here, so that neither an organization nor a credential takes all connections. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /** @returns says that it is over; @throws Refused RATE_LIMITED */
  enter({ name, stream }: Operation, { caller, credential }: RequestState): () => void {
    const most = stream?.atMost ?? usual;
    const counted = [
      { key: `${name} ${caller?.organizationId}`, whose: 'The organization', limit: most.organization },
      { key: `${name} of ${credential}`, whose: 'The credential', limit: most.credential },
    ];
    for (const { key, whose, limit } of counted)
      if ((this.#open.get(key) ?? 0) >= limit)
        throw new Refused(
          'RATE_LIMITED',
          `${whose} has ${limit} event streams open here, which is the most: close one before the next.`,
          undefined,
          { 'Retry-After': '10' },
        );
    for (const { key } of counted) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return () => {
      for (const { key } of counted) {
        const left = (this.#open.get(key) ?? 1) - 1;
        if (left === 0) this.#open.delete(key);
        else this.#open.set(key, left);
      }
    };
  }
}
