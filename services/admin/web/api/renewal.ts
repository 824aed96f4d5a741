import { textOf } from './broken-off.ts';
import { exclusively } from './exclusive.ts';
import { newId } from './ids.ts';
import { problemOf } from './problem.ts';
import { send } from './sending.ts';

const renewedKey = 'gateway.renewed';

/**
 * Renews the session in its cookies: one tab does it, the others go on with what it got.
 *
 * @param askedAt when the request left that was refused: a renewal since then is enough. Milliseconds since 1970
 * @returns false when the session is over
 * @throws Problem when nobody can say
 */
export const renewed = (askedAt: number): Promise<boolean> =>
  exclusively('renewal', async () => {
    if (Number(localStorage.getItem(renewedKey) ?? 0) >= askedAt) return true;
    // What another tab has written may not be seen here yet, though its lock is free: the cookie itself says.
    if ((await send('/auth/me')).status !== 401) return true;
    const key = newId();
    const answer = await tryTwice(() => send('/auth/refresh', { method: 'POST', headers: { 'idempotency-key': key } }));
    if (answer.ok) {
      localStorage.setItem(renewedKey, String(Date.now()));
      return true;
    }
    const problem = problemOf(answer, await textOf(answer), 'public');
    if (problem.kind === 'refused' && [400, 401, 403].includes(problem.status)) return false;
    throw problem;
  });

/** Asked again with the same key, an answer that was lost on its way comes once more. */
async function tryTwice(ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask();
  } catch {
    return ask();
  }
}
