import type { Response } from 'express';

/** Writes a whole answer. The body is JSON that was made already, so that a stored one goes out unchanged. */
export function writeJson(response: Response, status: number, json: string | undefined): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (json === undefined) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  response.end(json);
}
