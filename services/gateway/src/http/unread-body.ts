import type { Request, Response } from 'express';
import { writeJson } from './json-answer.ts';

/** So long a client may go on sending what nobody will read, milliseconds. */
const lingerMs = 2_000;

/** Whether this answer ends a connection on which a body is still under way. */
export const leavesUnread = (request: Request, response: Response): boolean =>
  !request.complete && response.getHeader('connection') === 'close';

/**
 * Answers before the body was read. The answer goes out whole at once; the connection ends when the body has, or after a
 * moment: closed at once it would be reset, and a client that still writes would lose the answer.
 */
export function answerUnread(request: Request, response: Response, status: number, json: string): void {
  const end = response.end.bind(response) as () => void;
  writeJson(response, status, json, { last: false });
  const timer = setTimeout(end, lingerMs).unref();
  const over = (): void => {
    clearTimeout(timer);
    end();
  };
  request.once('end', over).once('close', over).once('error', over).resume();
}
