import { noteServerTime } from './clock.ts';
import { pace } from './pace.ts';
import { Problem } from './problem.ts';

const { ADMIN_PUBLIC_API_URL: elsewhere = '' } = import.meta.env as Readonly<Record<string, string | undefined>>;

/** Where the API is reached; empty: where this page comes from. */
export const apiHost = elsewhere.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
const base = `${apiHost}/api/v1`;

/** Lets the cookie count for writes; other sites cannot send it. */
export const sessionHeaders = { 'x-admin-session': '1' };

/** Address of a path of the API, for links, pictures and downloads. */
export const apiAddress = (path: string): string => `${base}${path}`;

/**
 * Sends a request with the session's cookie.
 *
 * @throws Problem `unreachable` when there is no answer
 * @throws DOMException AbortError when it was given up
 */
export async function send(
  path: string,
  { headers, ...given }: RequestInit & { headers?: object } = {},
): Promise<Response> {
  let header: string | null = null;
  pace.leave();
  try {
    const answer = await fetch(`${base}${path}`, {
      ...given,
      credentials: apiHost === '' ? 'same-origin' : 'include',
      // Without a header of its own a reading is one that the browser has begun already, where the page's `Link` names it.
      headers: { ...(given.method !== undefined && given.method !== 'GET' && sessionHeaders), ...headers },
    });
    noteServerTime(answer.headers.get('date'));
    header = answer.headers.get('ratelimit');
    return answer;
  } catch (error) {
    if (given.signal?.aborted === true) throw error;
    throw new Problem('', { kind: 'unreachable', status: 0 });
  } finally {
    pace.arrive(header, Date.now());
  }
}
