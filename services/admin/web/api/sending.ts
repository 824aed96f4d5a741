import { brokenOff } from './broken-off.ts';
import { noteServerTime } from './clock.ts';
import { pace } from './pace.ts';

const { ADMIN_PUBLIC_API_URL: elsewhere = '' } = import.meta.env as Readonly<Record<string, string | undefined>>;

/** Where the API is reached; empty: where this page comes from. */
export const apiHost = elsewhere.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
const base = `${apiHost}/api/v1`;

/** Lets the cookie count for writes; other sites cannot send it. */
export const sessionHeaders = { 'x-admin-session': '1' };

/** Address of a path of the API, for links, pictures and downloads. */
export const apiAddress = (path: string): string => `${base}${path}`;

export interface Sent extends Omit<RequestInit, 'headers'> {
  readonly headers?: object;
  /** After so long without a whole answer there is none. Milliseconds; absent: it is waited for. */
  readonly withinMs?: number;
}

/**
 * Sends a request with the session's cookie.
 *
 * @throws Problem `unreachable` when there is no answer
 * @throws DOMException AbortError when it was given up
 */
export async function send(path: string, { headers, signal, withinMs, ...given }: Sent = {}): Promise<Response> {
  let header: string | null = null;
  const ends = [signal ?? [], withinMs === undefined ? [] : AbortSignal.timeout(withinMs)].flat();
  pace.leave();
  try {
    const answer = await fetch(`${base}${path}`, {
      ...given,
      ...(ends.length > 0 && { signal: AbortSignal.any(ends) }),
      credentials: apiHost === '' ? 'same-origin' : 'include',
      // Without a header of its own a reading is one that the browser has begun already, where the page's `Link` names it.
      headers: { ...(given.method !== undefined && given.method !== 'GET' && sessionHeaders), ...headers },
    });
    noteServerTime(answer.headers.get('date'));
    header = answer.headers.get('ratelimit');
    return answer;
  } catch (error) {
    throw brokenOff(error, signal);
  } finally {
    pace.arrive(header, Date.now());
  }
}
