import { newId } from './ids.ts';
import type { AnswerOf } from './operations.ts';
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
export async function upload(file: File, options: Options): Promise<Uploaded> {
  const key = newId();
  const askedAt = Date.now();
  const first = await attempt(file, key, options);
  if (first.status !== 401 || !(await renewed(askedAt))) return uploadedIn(first);
  return uploadedIn(await attempt(file, key, options));
}

interface Attempt {
  readonly status: number;
  readonly text: string;
  readonly headers: { get(name: string): string | null };
}

function uploadedIn(attempt: Attempt): Uploaded {
  if (attempt.status >= 200 && attempt.status < 300) return JSON.parse(attempt.text) as Uploaded;
  throw problemOf(attempt, attempt.text, 'message:send');
}

function attempt(file: File, key: string, { onProgress, signal }: Options): Promise<Attempt> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    body.append('file', file);
    request.open('POST', apiAddress('/uploads/media'));
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
