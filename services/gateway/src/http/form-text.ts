import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Fault, PiecesSpec } from '@messaging-gateway/contracts';
import { invalid, type Refused } from '@messaging-gateway/messaging';
import type { Request } from 'express';
import { notUtf8Text, tooLarge } from '../request/error-answer.ts';

const limits = { files: 1, fields: 8, parts: 10, fieldSize: 1024, headerPairs: 64, headerSize: 16_384 };

/** Beside the file a form has boundaries, headers and fields, bytes. */
const beside = 65_536;

/**
 * Reads `multipart/form-data` into the body that JSON would be: the text of the file in the field of that name, and beside it the
 * form's other fields.
 *
 * @param limit of the file, bytes
 * @throws Refused VALIDATION_ERROR naming each field that is wrong, PAYLOAD_TOO_LARGE
 */
export async function formText(
  request: Request,
  { field, fileField = 'file' }: PiecesSpec,
  limit: number,
): Promise<Record<string, string>> {
  const faults: Fault[] = [];
  const fields = new Map<string, string>();
  const chunks: Buffer[] = [];
  let [isThere, isCut] = [false, false];
  let bytes = 0;
  const parser = parserOf(request, limit);
  parser.on('file', (name, stream) => {
    stream.on('error', () => undefined);
    if (name !== fileField)
      faults.push({ path: `body.${name}`, message: `is not a known field; the file stands in ${fileField}` });
    else isThere = true;
    stream.on('data', (chunk: Buffer) => name === fileField && chunks.push(chunk));
    stream.on('limit', () => (isCut = true));
  });
  parser.on('field', (name, value) => {
    if (name === fileField) faults.push({ path: `body.${name}`, message: 'must be a file' });
    else if (name === field)
      faults.push({ path: `body.${name}`, message: `is not a field of a form; the file stands in ${fileField}` });
    else fields.set(name, value);
  });
  parser.on('filesLimit', () => faults.push({ path: `body.${fileField}`, message: 'must be one file' }));
  try {
    await new Promise<void>((resolve, reject) => {
      parser.on('finish', resolve);
      parser.on('error', () => reject(notWhole()));
      request.on('close', () => request.complete || reject(notWhole()));
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > limit + beside) reject(tooLarge());
      });
      request.pipe(parser);
    });
  } catch (error) {
    request.unpipe(parser);
    request.resume();
    throw error;
  }
  if (isCut) throw tooLarge();
  if (!isThere && faults.length === 0) faults.push({ path: `body.${fileField}`, message: 'is required' });
  if (faults.length > 0) throw invalid(faults);
  return { ...Object.fromEntries(fields), [field]: textOf(chunks) };
}

function parserOf(request: Request, limit: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits: { ...limits, fileSize: limit },
      isPartAFile: (_field, _type, filename) => filename !== undefined,
    });
  } catch {
    throw notWhole();
  }
}

function textOf(chunks: readonly Buffer[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw notUtf8Text();
  }
}

const notWhole = (): Refused => invalid([{ path: 'body', message: 'is not whole multipart/form-data' }]);
