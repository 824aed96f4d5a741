import { pathOf } from './client.ts';
import { newId } from './ids.ts';
import { rowOf, type AnswerOf, type OperationName } from './operations.ts';
import { Problem, problemOf } from './problem.ts';
import { renewed } from './renewal.ts';
import { apiAddress, apiHost, sessionHeaders } from './sending.ts';

type Uploaded = AnswerOf<'UploadMedia'>;

interface Options {
  /** Told how much has left, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file for messages, with progress, which `fetch` does not tell.
 *
 * @throws Problem
 * @throws DOMException AbortError
 */
export const upload = (file: File, options: Options): Promise<Uploaded> =>
  uploadTo('UploadMedia', {}, { file }, options);

/** Fields of a form, a file among them. */
export type Fields = Readonly<Record<string, string | File>>;

/**
 * Sends a form with a file to an operation that takes one.
 *
 * @throws Problem
 * @throws DOMException AbortError
 */
export async function uploadTo<N extends OperationName>(
  name: N,
  given: { readonly params?: Readonly<Record<string, string>> },
  fields: Fields,
  options: Options,
): Promise<AnswerOf<N>> {
  const form = { path: pathOf(name, given), fields, key: newId() };
  const askedAt = Date.now();
  const first = await attempt(form, options);
  const last = first.status === 401 && (await renewed(askedAt)) ? await attempt(form, options) : first;
  if (last.status >= 200 && last.status < 300) return JSON.parse(last.text) as AnswerOf<N>;
  throw problemOf(last, last.text, rowOf(name).access);
}

interface Form {
  readonly path: string;
  readonly fields: Fields;
  readonly key: string;
}

interface Attempt {
  readonly status: number;
  readonly text: string;
  readonly headers: { get(name: string): string | null };
}

function attempt({ path, fields, key }: Form, { onProgress, signal }: Options): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    // The file comes last: what is said about it is read before.
    const isFile = ([, value]: readonly [string, string | File]): number => Number(value instanceof File);
    for (const [name, value] of Object.entries(fields).toSorted((one, other) => isFile(one) - isFile(other)))
      body.append(name, value);
    request.open('POST', apiAddress(path));
    request.withCredentials = apiHost !== '';
    for (const [name, value] of Object.entries({ ...sessionHeaders, 'idempotency-key': key }))
      request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        text: request.responseText,
        headers: { get: (name) => request.getResponseHeader(name) },
      }),
    );
    request.addEventListener('error', () => reject(new Problem('', { kind: 'unreachable', status: 0 })));
    request.addEventListener('abort', () => reject(new DOMException('The upload was given up.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}
