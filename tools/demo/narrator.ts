import { styleText } from 'node:util';
import type { Answer, GatewayProcess } from '@messaging-gateway/testing/running';

/** One line of the story: what, and the fact. */
export function say(what: string, fact: string): void {
  console.log(`${styleText('bold', what.padEnd(22))} ${fact}`);
}

/** Calls a route, prints the call and the answer's status, and stops the story unless it is the expected one. */
export async function tellCall<Body>(
  gateway: GatewayProcess,
  expected: number,
  method: string,
  path: string,
  body?: unknown,
  credential?: string,
): Promise<Body> {
  const answer: Answer<Body> = await gateway.call<Body>(
    method,
    path,
    body,
    credential === undefined ? {} : { credential },
  );
  say(`${method} /api/v1${path}`, '');
  if (body !== undefined) console.log(`${' '.repeat(23)}${JSON.stringify(body)}`);
  console.log(`${' '.repeat(22)} → ${answer.status}`);
  if (answer.status !== expected)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Asks again until there is an answer. @throws Error after the time */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>, timeoutMs = 20_000): Promise<T> {
  for (const until = Date.now() + timeoutMs; Date.now() < until;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen in ${timeoutMs / 1000} s`);
}
