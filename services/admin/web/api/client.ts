import { textOf } from './broken-off.ts';
import { rowOf, type AnswerOf, type OperationName, type RequestOf } from './operations.ts';
import { pace } from './pace.ts';
import { problemOf } from './problem.ts';
import { renewed } from './renewal.ts';
import { send, type Sent } from './sending.ts';

/** A reading has its whole answer within this time: the gateway gives one within half a minute. Milliseconds. */
const readWithinMs = 60_000;

type Word = string | number | boolean;

interface Loose {
  readonly params?: Readonly<Record<string, Word>>;
  readonly query?: Readonly<Record<string, Word | undefined>>;
  readonly body?: unknown;
}

export interface Options {
  readonly signal?: AbortSignal | undefined;
  /** Idempotency-Key: the same for the same thing that somebody composed, however often it is sent. */
  readonly key?: string | undefined;
}

/** Path of a request with its parameters and query filled in. */
export function pathOf(name: OperationName, given: unknown): string {
  const { params = {}, query = {} } = given as Loose;
  const path = rowOf(name).path.replace(/:(\w+)/g, (_, field: string) => encodeURIComponent(String(params[field])));
  const search = new URLSearchParams();
  for (const [field, value] of Object.entries(query)) if (value !== undefined) search.set(field, String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** `over`: the session is over; `temporary`: its password must be changed before anything else. */
type SessionEnd = 'over' | 'temporary';
const listeners = new Set<(end: SessionEnd) => void>();

/** Tells when requests cannot go on like this. @returns takes it back */
export function whenSessionEnds(told: (end: SessionEnd) => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

const tell = (end: SessionEnd): void => listeners.forEach((told) => told(end));

/**
 * Asks the API. A 401 renews the session once, in one tab for all; where it is over everybody is told.
 *
 * @returns what the answer holds, without its envelope
 * @throws Problem
 */
export async function ask<N extends OperationName>(
  name: N,
  given: RequestOf<N>,
  options: Options = {},
): Promise<AnswerOf<N>> {
  const { method, access } = rowOf(name);
  const { body } = given as Loose;
  const request: Sent = {
    method,
    ...(method === 'GET' && { withinMs: readWithinMs }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(options.key !== undefined && { 'idempotency-key': options.key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(options.signal && { signal: options.signal }),
  };
  const answer = await sendInSession(pathOf(name, given), request, access);
  const text = await textOf(answer, options.signal);
  if (!answer.ok) {
    const problem = problemOf(answer, text, access);
    if (problem.status === 403 && problem.message.includes('/auth/change-password')) tell('temporary');
    throw problem;
  }
  return contentOf(answer, text, access) as AnswerOf<N>;
}

/**
 * Sends with the session that there is, renewed where it had to be.
 *
 * @throws Problem
 */
export async function sendInSession(path: string, request: Sent, access: string): Promise<Response> {
  if (request.method === undefined || request.method === 'GET') await untilThereIsRoom(request.signal);
  const askedAt = Date.now();
  const answer = await send(path, request);
  if (answer.status !== 401 || access === 'public') return answer;
  if (await renewed(askedAt)) {
    const second = await send(path, request);
    if (second.status !== 401) return second;
  }
  tell('over');
  return answer;
}

async function untilThereIsRoom(signal: AbortSignal | null | undefined): Promise<void> {
  for (let wait = pace.take(Date.now()); wait > 0; wait = pace.take(Date.now())) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 1_000)));
    signal?.throwIfAborted();
  }
}

function contentOf(answer: Response, text: string, access: string): unknown {
  if (text === '') return undefined;
  if (answer.headers.get('content-type')?.includes('json') !== true) throw problemOf(answer, '', access);
  const body = JSON.parse(text) as { readonly success?: unknown; readonly data?: unknown; readonly meta?: unknown };
  return body.success === true && 'data' in body ? body.data : body;
}
