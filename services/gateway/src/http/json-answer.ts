import type { Response } from 'express';

/**
 * Writes a whole answer. The body is JSON that was made already, so that a stored one goes out unchanged.
 *
 * @param last false: the answer is whole, and the caller ends it
 */
export function writeJson(response: Response, status: number, json: string | undefined, { last = true } = {}): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (json !== undefined) {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(json));
  }
  if (last) response.end(json);
  else response.write(json ?? '');
}
