import { setImmediate as turn } from 'node:timers/promises';
import { check, closed, mediaLimits, type Caller, type Fault, type Operation } from '@messaging-gateway/contracts';
import { keptFilename, type MediaStore } from '@messaging-gateway/media';
import { Refused, invalid } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import express, { type NextFunction, type Request, type RequestHandler } from 'express';
import type { TObject, TSchema } from 'typebox';
import { v7 } from 'uuid';
import { isTextOf } from '../dispatch/dispatcher.ts';
import type { MediaQuota } from '../media/media-quota.ts';
import { formText } from './form-text.ts';
import { RequestMedia } from '../media/request-media.ts';
import { uploadedFile } from '../media/uploaded-file.ts';
import { notUtf8, tooLarge } from '../request/error-answer.ts';
import { stateOf, type Input } from '../request/request-state.ts';

export interface ReaderOptions {
  readonly media: MediaStore;
  readonly quota: MediaQuota;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Reads the body of an operation: JSON, the text of a field, or a file. */
export const bodyReader = (operation: Operation, options: ReaderOptions): RequestHandler =>
  operation.untouched !== undefined
    ? untouchedReader(operation.untouched)
    : operation.upload === undefined
      ? jsonReader(operation)
      : uploadReader(operation, operation.upload, options);

/** Reads a body that somebody else has signed: the owner is given it as it came. */
function untouchedReader(names: readonly string[]): RequestHandler {
  const read = express.text({
    limit: limits.untouched,
    type: () => true,
    defaultCharset: 'utf-8',
    verify: (_request, _response, body) => assertBounded(body),
  });
  return (request, response, next) => {
    if (!isJson(request.headers['content-type']))
      return next(new Refused('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.'));
    read(request, response, (error: unknown) => {
      if (error !== undefined) return next(error);
      const headers = names.flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      });
      request.body = {
        text: typeof request.body === 'string' ? request.body : '',
        headers: Object.fromEntries(headers) as object,
      };
      next();
    });
  };
}

const limits = { public: 64 * 1024, untouched: 512 * 1024, json: 1024 * 1024, media: 25 * 1024 * 1024 } as const;

/** The most that a body of the operation may hold, bytes: little where anybody may send it. */
const limitOf = ({ access, bodyLimit = 'json' }: Operation): number =>
  limits[access === 'public' ? 'public' : bodyLimit];

/** Reads the JSON body of an operation, up to its limit. Anything but JSON in UTF-8 is 415. */
function jsonReader(operation: Operation): RequestHandler {
  const limit = limitOf(operation);
  const parse = express.json({
    limit,
    type: () => true,
    verify: (_request, _response, body, encoding) => {
      if (encoding !== 'utf-8') throw notUtf8();
      assertBounded(body);
    },
  });
  return async (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': chunked, 'content-type': type } = request.headers;
    if (chunked === undefined && (length === undefined || length === '0')) return next();
    if (Number(length ?? 0) > limit) return next(tooLarge());
    if (isTextOf(operation, type)) return asText(operation, request, next);
    if (operation.pieces?.fileField !== undefined && isForm(type)) {
      request.body = await formText(request, operation.pieces, limit);
      return next();
    }
    if (!isJson(type)) return next(notTaken(operation));
    parse(request, response, next);
  };
}

/** The body is the text of a field itself: left unread, to be cut as it comes. What it is called here tells repeats apart. */
function asText({ pieces }: Operation, request: Request, next: NextFunction): void {
  request.body = { [pieces?.field ?? '']: `${request.headers['content-length'] ?? 'unknown'} bytes` };
  next();
}

/** Refusal of a body's media type, naming those that are taken. */
const notTaken = ({ pieces }: Operation): Refused => {
  const { contentType, fileField } = pieces ?? {};
  const others = [
    ...(contentType === undefined ? [] : [contentType]),
    ...(fileField === undefined ? [] : [`multipart/form-data with a file in the field ${fileField}`]),
  ];
  const all = ['application/json', ...others];
  return new Refused('UNSUPPORTED_MEDIA_TYPE', `The body must be ${all.join(' or ')}.`);
};

const isForm = (type: string | undefined): boolean => /^multipart\/form-data\s*;/i.test(type ?? '');
const isJson = (type: string | undefined): boolean => /^application\/([\w.!#$&^-]+\+)?json\s*(;|$)/i.test(type ?? '');

/** Beside the file a body has boundaries and headers. */
const aroundFile = 65_536;

/** Streams the file of a route with `upload` into the media store; the body is then what its contract says. */
function uploadReader(
  operation: Operation,
  field: string,
  { media, quota, clock, log }: ReaderOptions,
): RequestHandler {
  const limit = operation.uploadLimit;
  const most = (limit ?? mediaLimits.document) + aroundFile;
  const beside = Object.keys((operation.body as TObject).properties).filter((name) => name !== field);
  return async (request, response, next) => {
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > most) throw tooLarge();
    const state = stateOf(response);
    const { organizationId } = state.caller as Caller;
    const put = new RequestMedia(media, quota, log);
    const { file, fields } = await uploadedFile(request, field, {
      fields: beside,
      store: async ({ stream, filename: given, mimetype }) => {
        const filename = keptFilename(given);
        const id = v7({ msecs: clock.now() });
        return { ...(await put.put(organizationId, id, stream, { filename, mimetype, limit }, length)), filename };
      },
      drop: () => put.drop(),
    });
    state.media = put;
    // A repeat is stored under another key, and is the same request all the same.
    state.fingerprint = { ...fields, [field]: { ...file, key: operation.name } };
    request.body = { ...fields, [field]: file };
    next();
  };
}

const nothing = closed({});

/** Checks requests of one operation. */
export function inputCheck(operation: Operation): (given: Input) => Input {
  const query = operation.query ?? nothing;
  return (given) => {
    const params = { ...given.params };
    if (operation.params !== undefined && check(operation.params, params, 'params', true).length > 0) {
      throw new Refused('NOT_FOUND', 'There is no such thing.');
    }
    const read = { ...given.query };
    const body = bodyOf(operation, given.body);
    const faults = [...check(query, read, 'query', true), ...nulFaults(read), ...bodyFaults(operation, body)];
    if (faults.length > 0) throw invalid(faults);
    return { params, query: read, body: operation.body === undefined ? undefined : body };
  };
}

/** No text of the database holds a NUL, so nothing can be looked for by one. */
const nulFaults = (query: Readonly<Record<string, unknown>>): Fault[] =>
  Object.entries(query).flatMap(([name, value]) =>
    [value].flat().some((text) => typeof text === 'string' && text.includes('\0'))
      ? [{ path: `query.${name}`, message: 'must not hold the character NUL' }]
      : [],
  );

/** An absent body counts as an empty object, so that the fields it lacks are named. */
const bodyOf = (operation: Operation, body: unknown): unknown =>
  body === undefined && operation.body !== undefined && operation.bodyOptional !== true ? {} : body;

function bodyFaults(operation: Operation, body: unknown): Fault[] {
  if (body === undefined) return [];
  return check(operation.body ?? nothing, body, 'body');
}

/**
 * Compiles what requests are checked with, so that the first one of each route need not: a second for all routes
 * together. Other work gets its turn in between.
 */
export async function compileInputChecks(operations: readonly Operation[]): Promise<void> {
  const compile = (schema: TSchema | undefined, coerce: boolean): void => {
    if (schema !== undefined) check(schema, {}, 'start', coerce);
  };
  for (const { params, query = nothing, body = nothing } of operations) {
    compile(params, true);
    compile(query, true);
    compile(body, false);
    await turn();
  }
}

/** Items of lists and fields of objects in one body, at most: what parsing costs grows with them, not with its bytes. */
const mostValues = 100_000;
/** Names of fields in one body, bytes together, at most: a parser keeps each of them, however many there are. */
const mostNameBytes = 2 * 1024 * 1024;
/** Lists and objects within each other, at most: whoever walks a deeper body by calling itself runs out of stack. */
const deepest = 100;
/** So far a text is read byte by byte; then its end is looked for. */
const shortText = 256;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * Looks at JSON before it is parsed. Whether it is JSON at all is the parser's matter.
 *
 * @param json in UTF-8
 * @throws Refused VALIDATION_ERROR when it is nested too deeply, PAYLOAD_TOO_LARGE when it holds too many values or too long names
 */
export function assertBounded(json: Buffer): void {
  let values = 0;
  let depth = 0;
  let nameBytes = 0;
  let textBytes = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === quote) {
      const end = endOfText(json, at + 1);
      textBytes = end - at;
      at = end;
    } else if (byte === colon) {
      nameBytes += textBytes;
      if (nameBytes > mostNameBytes)
        throw new Refused('PAYLOAD_TOO_LARGE', 'The names of its fields take more than 2 MiB.');
    } else if (closing.has(byte)) depth -= 1;
    else if (byte === comma || opening.has(byte)) {
      values += 1;
      if (values > mostValues) throw new Refused('PAYLOAD_TOO_LARGE', `The body holds more than ${mostValues} values.`);
      if (byte !== comma) depth += 1;
      if (depth > deepest)
        throw invalid([{ path: 'body', message: `must not be nested deeper than ${deepest} levels` }]);
    }
  }
}

/** Where the quote is that ends a text, or the end of it all. */
function endOfText(json: Buffer, begin: number): number {
  let at = begin;
  for (;;) {
    for (const until = at + shortText; at < until && at < json.length; at += 1) {
      if (json[at] === quote) return at;
      if (json[at] === backslash) at += 1;
    }
    const end = json.indexOf(quote, at);
    if (end === -1) return json.length;
    let escapes = 0;
    while (end - escapes > at && json[end - escapes - 1] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
    at = end + 1;
  }
}
