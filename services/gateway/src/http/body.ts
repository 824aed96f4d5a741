import type { Operation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import express, { type NextFunction, type Request, type RequestHandler } from 'express';
import { assertBounded } from './json-bounds.ts';
import { isTextOf } from './pieces.ts';

const limits = { public: 64 * 1024, json: 1024 * 1024, media: 25 * 1024 * 1024 } as const;

/** The most that a body of the operation may hold, bytes: little where anybody may send it. */
const limitOf = ({ access, bodyLimit = 'json' }: Operation): number =>
  limits[access === 'public' ? 'public' : bodyLimit];

/** Reads the JSON body of an operation, up to its limit. Anything but JSON in UTF-8 is 415. */
export function bodyReader(operation: Operation): RequestHandler {
  const limit = limitOf(operation);
  const parse = express.json({
    limit,
    type: () => true,
    verify: (_request, _response, body, encoding) => {
      if (encoding !== 'utf-8') throw notUtf8();
      assertBounded(body);
    },
  });
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': chunked, 'content-type': type } = request.headers;
    if (chunked === undefined && (length === undefined || length === '0')) return next();
    if (Number(length ?? 0) > limit) return next(tooLarge());
    if (isTextOf(operation, type)) return asText(operation, request, next);
    if (!isJson(type)) return next(new Refused('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.'));
    parse(request, response, next);
  };
}

export const notUtf8 = (): Refused => new Refused('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8.');

/** Said before the body is read, or when more came than was announced. */
export const tooLarge = (): Refused =>
  new Refused('PAYLOAD_TOO_LARGE', 'The body is larger than this route takes.', undefined, { Connection: 'close' });

/** The body is the text of a field itself: left unread, to be cut as it comes. What it is called here tells repeats apart. */
function asText({ pieces }: Operation, request: Request, next: NextFunction): void {
  request.body = { [pieces?.field ?? '']: `${request.headers['content-length'] ?? 'unknown'} bytes` };
  next();
}

const isJson = (type: string | undefined): boolean => /^application\/([\w.!#$&^-]+\+)?json\s*(;|$)/i.test(type ?? '');
