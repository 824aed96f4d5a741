import type { Operation } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import express, { type NextFunction, type Request, type RequestHandler } from 'express';
import { isTextOf } from './pieces.ts';

const limits = { json: 1024 * 1024, media: 25 * 1024 * 1024 } as const;

/** Reads the JSON body of an operation, up to its limit. Anything but JSON is 415. */
export function bodyReader(operation: Operation): RequestHandler {
  const parse = express.json({ limit: limits[operation.bodyLimit ?? 'json'], type: () => true });
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': chunked, 'content-type': type } = request.headers;
    if (chunked === undefined && (length === undefined || length === '0')) return next();
    if (isTextOf(operation, type)) return asText(operation, request, next);
    if (!isJson(type)) return next(new Refused('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.'));
    parse(request, response, next);
  };
}

/** The body is the text of a field itself: left unread, to be cut as it comes. What it is called here tells repeats apart. */
function asText({ pieces, bodyLimit = 'json' }: Operation, request: Request, next: NextFunction): void {
  const length = request.headers['content-length'] ?? 'unknown';
  if (Number(length) > limits[bodyLimit])
    return next(new Refused('PAYLOAD_TOO_LARGE', 'The body is larger than this route takes.'));
  request.body = { [pieces?.field ?? '']: `${length} bytes` };
  next();
}

const isJson = (type: string | undefined): boolean => /^application\/([\w.!#$&^-]+\+)?json\s*(;|$)/i.test(type ?? '');
