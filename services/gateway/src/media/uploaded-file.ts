import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Fault, StoredFileOf } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { Request } from 'express';

/** A file as it comes in. */
interface IncomingFile {
  readonly stream: AsyncIterable<Uint8Array>;
  /** Without any folder. */
  readonly filename: string;
  /** The type that the client says it is. */
  readonly mimetype: string;
}

/** A form: its file, and what else stands in it. */
interface UploadedForm {
  readonly file: StoredFileOf;
  readonly fields: Readonly<Record<string, string>>;
}

export interface UploadTarget {
  /** Further fields that the form may have: texts of 1 KiB at most. */
  readonly fields: readonly string[];
  /** Stores it as it comes. */
  store(file: IncomingFile): Promise<StoredFileOf>;
  /** Takes back what was stored, when the request turns out to be wrong. */
  drop(stored: StoredFileOf): Promise<void>;
}

const limits = { files: 1, fields: 4, parts: 6, fieldSize: 1024, headerPairs: 64, headerSize: 16_384 };

/**
 * Reads `multipart/form-data` with one file in one field, and texts in others.
 *
 * @throws Refused VALIDATION_ERROR naming each field that is wrong, and whatever storing throws
 */
export async function uploadedFile(request: Request, field: string, target: UploadTarget): Promise<UploadedForm> {
  const faults: Fault[] = [];
  const fields: Record<string, string> = {};
  const failed = Promise.withResolvers<never>();
  let storing: Promise<StoredFileOf> | undefined;
  let file: BusboyFileStream | undefined;
  const parser = parserOf(request);
  parser.on('file', (name, stream, filename, _encoding, mimetype) => {
    file = stream;
    stream.on('error', () => undefined);
    if (name !== field) {
      faults.push({ path: `body.${name}`, message: 'is not a known field' });
      stream.resume();
      return;
    }
    storing = target.store({ stream, filename, mimetype });
    storing.catch(failed.reject);
  });
  parser.on('field', (name, value, _isNameCut, isCut) => {
    if (target.fields.includes(name)) {
      if (isCut || Object.hasOwn(fields, name))
        faults.push({ path: `body.${name}`, message: isCut ? 'is too long' : 'must be given once' });
      else fields[name] = value;
      return;
    }
    faults.push({ path: `body.${name}`, message: name === field ? 'must be a file' : 'is not a known field' });
  });
  parser.on('filesLimit', () => faults.push({ path: `body.${field}`, message: 'must be one file' }));
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on('finish', resolve);
    parser.on('error', () => reject(notMultipart()));
    request.on('close', () => request.complete || reject(notMultipart()));
  });
  parsed.catch(() => undefined);
  failed.promise.catch(() => undefined);
  request.pipe(parser);
  try {
    await Promise.race([parsed, failed.promise]);
    const stored = await storing;
    if (stored === undefined) faults.push({ path: `body.${field}`, message: 'is required' });
    else if (stored.size === 0) faults.push({ path: `body.${field}`, message: 'must not be empty' });
    if (stored !== undefined && faults.length === 0) return { file: stored, fields };
    throw invalid(faults);
  } catch (error) {
    request.unpipe(parser);
    request.resume();
    file?.destroy(new Error('The upload broke off.'));
    await storing?.then(target.drop, () => undefined);
    throw error;
  }
}

function parserOf(request: Request): BusboyInstance {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new Refused('UNSUPPORTED_MEDIA_TYPE', 'The body must be multipart/form-data.');
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits,
      isPartAFile: (_field, _type, filename) => filename !== undefined,
    });
  } catch {
    throw notMultipart();
  }
}

const notMultipart = (): Refused => invalid([{ path: 'body', message: 'is not whole multipart/form-data' }]);
