import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SimulatorControl } from './contract.ts';
import { Refusal } from './refusal.ts';
import { ROUTES, type Asked } from './routes.ts';

const PREFIX = '/control';
const LARGEST_BODY = 150_000_000; // files come as base64

/** Serves the control API as JSON: 200 with the outcome, 422 with `code` and `message` when it can't be done. */
export function controlServer(control: SimulatorControl): RequestListener {
  return (request, response) => {
    serve(control, request).then(
      (outcome) => reply(response, 200, outcome ?? {}),
      (error: unknown) => replyWithError(response, error),
    );
  };
}

async function serve(control: SimulatorControl, request: IncomingMessage): Promise<unknown> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator');
  const parts = pathname.startsWith(PREFIX) ? pathname.slice(PREFIX.length).split('/') : [];
  const phone = parts.length > 2 ? decodeURIComponent(parts[2] ?? '') : '';
  if (parts.length > 2) parts[2] = ':phone';
  const route = ROUTES[`${request.method} ${parts.join('/')}`];
  if (route === undefined)
    throw new Refusal('ROUTE_UNKNOWN', `One of: ${Object.keys(ROUTES).join(', ')}; under ${PREFIX}.`);
  const asked: Asked = { phone, query: searchParams, body: await bodyOf(request) };
  return route(control, asked);
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += part;
    if (text.length > LARGEST_BODY) throw new Refusal('BODY_INVALID', 'The body is too large.');
  }
  try {
    const body: unknown = JSON.parse(text || '{}');
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // falls through: not JSON is as good as not an object
  }
  throw new Refusal('BODY_INVALID', 'The body has to be a JSON object.');
}

function replyWithError(response: ServerResponse, error: unknown): void {
  if (error instanceof Refusal) reply(response, 422, { code: error.code, message: error.message });
  else reply(response, 500, { code: 'SIMULATOR_FAILED', message: String(error) });
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  // A connection that is kept, and is closed just when a busy process uses it again, would fail what that one asks for.
  const headers = { 'content-type': 'application/json', connection: 'close' };
  response.writeHead(status, headers).end(JSON.stringify(body));
}
