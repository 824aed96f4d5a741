import { Problem } from './problem.ts';

/** What a request that broke off comes to: there is no answer, unless it was given up here. */
export const brokenOff = (error: unknown, givenUp: AbortSignal | null | undefined): unknown =>
  givenUp?.aborted === true ? error : new Problem('', { kind: 'unreachable', status: 0 });

/**
 * The text of an answer.
 *
 * @param givenUp by which whoever asks gives up
 * @throws Problem `unreachable` when it breaks off in its middle
 * @throws DOMException AbortError when it was given up
 */
export async function textOf(answer: Pick<Response, 'text'>, givenUp?: AbortSignal | null): Promise<string> {
  try {
    return await answer.text();
  } catch (error) {
    throw brokenOff(error, givenUp);
  }
}
