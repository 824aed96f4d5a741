import { pipeline } from 'node:stream/promises';
import type { StreamedObjectOf } from '@messaging-gateway/contracts';
import { keptFilename, kindOf, type ByteRange, type MediaFacts, type MediaStore } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';

/** A client that takes nothing for so long is sent away, milliseconds. */
const stalledMs = 60_000;

/**
 * Streams an object of the media store: whole, the range that was asked for, or nothing when the client has it already.
 *
 * @throws Refused NOT_FOUND, RANGE_NOT_SATISFIABLE
 */
export async function sendObject(
  request: Request,
  response: Response,
  media: MediaStore,
  { key, filename }: StreamedObjectOf,
): Promise<void> {
  const facts = await media.facts(key);
  if (facts === undefined) throw absent();
  describe(response, key, { ...facts, ...(filename !== undefined && { filename }) });
  response.status(200);
  if (request.fresh) return void response.status(304).end();
  const range = rangeOf(request, response, facts.size);
  response.setHeader('Content-Length', range === undefined ? facts.size : range.end - range.start + 1);
  if (range !== undefined) {
    response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${facts.size}`);
  }
  if (request.method === 'HEAD') return void response.end();
  const found = await media.get(key, range);
  if (found === undefined) throw asError(response, absent()); // deleted just now
  response.setTimeout(stalledMs);
  await pipeline(found.stream, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error; // the client has gone
  });
}

const absent = (): Refused => new Refused('NOT_FOUND', 'There are no such media.');

/** Whether media are of a kind that browsers only show. All else comes as an attachment: it could hold scripts. */
const isHarmless = (mimetype: string): boolean => kindOf(mimetype) !== 'document';

function describe(response: Response, key: string, { mimetype, filename }: MediaFacts): void {
  const type = isHarmless(mimetype) ? 'inline' : 'attachment';
  response.setHeader('Content-Type', mimetype);
  response.setHeader('Content-Disposition', contentDisposition(filename && keptFilename(filename), { type }));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  // An object never changes. Who has been shown it is asked no more for a day, and only where the same credential asks again.
  response.setHeader('Cache-Control', 'private, max-age=86400, immutable');
  response.vary('Authorization').vary('X-API-Key').vary('Cookie');
  response.setHeader('ETag', `"${key.split('/').at(-1)}"`);
  response.setHeader('Accept-Ranges', 'bytes');
}

/** Takes back what only the object itself has. */
function asError(response: Response, refused: Refused): Refused {
  for (const name of ['ETag', 'Content-Disposition', 'Content-Range']) response.removeHeader(name);
  return refused;
}

/** Several ranges at once, and what is no range, are answered with the whole. */
function rangeOf(request: Request, response: Response, size: number): ByteRange | undefined {
  const onlyIf = request.headers['if-range'];
  if (onlyIf !== undefined && onlyIf !== response.getHeader('ETag')) return undefined;
  const ranges = request.range(size);
  if (ranges === -1) {
    const headers = { 'Content-Range': `bytes */${size}` };
    throw asError(response, new Refused('RANGE_NOT_SATISFIABLE', `There are ${size} bytes.`, undefined, headers));
  }
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}
