import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { knowledgeFileLimit, type IngestKnowledgeFile, type IngestKnowledgeUrl } from '@messaging-gateway/contracts';
import { givenMedia, mediaSources } from '@messaging-gateway/media';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { Slots } from '@messaging-gateway/runtime';
import type { InputOf, RequestContext } from '@messaging-gateway/service';
import { once, type Ingested, type ReadDocument } from './ingesting.ts';
import { documentKindOf, type GivenFile } from './reading/document-kind.ts';
import type { DocumentReader } from './reading/document-reader.ts';
import { Unreadable } from './reading/formats/read-text.ts';
import type { KnowledgeTools } from './tools.ts';

export interface FileTools extends KnowledgeTools {
  readonly reader: DocumentReader;
}

/** Kept back from a deadline for what comes after reading, milliseconds. */
const timeToKeep = 20_000;
const longestName = 200;
/** A page is fetched within so long, milliseconds. */
const times = { connect: 10_000, silence: 15_000, whole: 30_000 };
/** URLs that are fetched at once, and of one organization: each is in memory until it was read. */
const fetching = new Slots(6, 2);

/** Takes in an uploaded file. The gateway deletes it once this has answered. */
export async function ingestFile(tools: FileTools, input: InputOf<typeof IngestKnowledgeFile>): Promise<Ingested> {
  const { file, name, language } = input.body;
  return once(tools, input, async () => {
    const open = async (): Promise<Readable> => {
      const found = await tools.media.get(file.key);
      if (found === undefined) throw new Refused('NOT_FOUND', 'The file is not there any more.');
      return found.stream;
    };
    const { title: _, ...read } = await readFile(tools, input, 'body.file', { ...file, open });
    return { name: nameOf(name, file.filename), ...read, ...(language && { language }) };
  });
}

/** Takes in what is at a URL now. */
export async function ingestUrl(tools: FileTools, input: InputOf<typeof IngestKnowledgeUrl>): Promise<Ingested> {
  const { url, name, language } = input.body;
  const { caller, context } = input;
  const { media, settings } = tools;
  return once(tools, input, async () => {
    const policy = { allowPrivate: settings.allowPrivateTargets };
    const source = await givenMedia({ media, ...policy })({ url }, 'document', { caller, path: 'body' });
    const signal = lateSignal(tools, context);
    const { bytes, ...found } = await fetching.run(
      async () => {
        const opened = await mediaSources({ store: media, policy, times }).open(source, 'document', { signal });
        return { ...opened, bytes: await wholeOf(opened.stream) };
      },
      { of: caller.organizationId, signal },
    );
    const mimetype = looksLikeHtml(bytes) ? 'text/html' : found.mimetype;
    const file = { mimetype, filename: found.filename ?? lastPartOf(url) };
    const open = async (): Promise<Readable> => Readable.from([bytes]);
    const { title, ...read } = await readFile(tools, input, 'body.url', { ...file, open });
    return { name: nameOf(name, title, url), url, ...read, ...(language && { language }) };
  });
}

type Reading = Pick<ReadDocument, 'type' | 'chunks'> & { readonly title: string | undefined };

/**
 * @param path of the field that names the file
 * @throws Refused UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR naming the field, SERVICE_UNAVAILABLE without a turn in time
 */
async function readFile(
  tools: FileTools,
  { caller, context }: { readonly caller: { readonly organizationId: string }; readonly context: RequestContext },
  path: string,
  { open, ...file }: GivenFile & { readonly open: () => Promise<Readable> },
): Promise<Reading> {
  const kind = documentKindOf(file);
  if (kind === undefined) {
    const message = `is ${file.mimetype}: PDF, DOCX, HTML, Markdown, CSV and text can be read`;
    throw new Refused('UNSUPPORTED_MEDIA_TYPE', `${path} ${message}.`, [{ path, message }]);
  }
  try {
    const { organizationId: of } = caller;
    const { chunks, title } = await tools.reader.read(kind, open, { of, signal: lateSignal(tools, context) });
    if (chunks.length === 0) throw new Unreadable('holds no text');
    return { type: kind, chunks, title };
  } catch (error) {
    if (error instanceof Unreadable) throw invalid([{ path, message: error.message }]);
    throw error;
  }
}

/** Ends with time left to keep what was read. Real time, as that of processes and sockets. */
function lateSignal({ clock }: FileTools, { deadline }: RequestContext): AbortSignal {
  const late = new AbortController();
  const left = Math.max(0, deadline - timeToKeep - clock.now());
  const reason = new Refused('SERVICE_UNAVAILABLE', 'Too many files wait to be read.', undefined, {
    'Retry-After': '30',
  });
  setTimeout(() => late.abort(reason), left).unref();
  return late.signal;
}

/** @throws Refused PAYLOAD_TOO_LARGE, and what the stream throws */
async function wholeOf(stream: Readable): Promise<Buffer> {
  let size = 0;
  const limited = async function* (): AsyncGenerator<Buffer> {
    for await (const part of stream as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > knowledgeFileLimit)
        throw new Refused('PAYLOAD_TOO_LARGE', 'body.url names more than 20 MiB.', [
          { path: 'body.url', message: 'names more than 20 MiB' },
        ]);
      yield part;
    }
  };
  return buffer(limited());
}

/** Whether bytes look like HTML, also in an encoding that nobody was told of. */
const looksLikeHtml = (bytes: Buffer): boolean =>
  /^(\uFEFF|\s|<!--[^>]*-->|<\?xml[^>]*>)*<(!doctype html|html)[\s>]/i.test(bytes.toString('utf8', 0, 1_024));

const lastPartOf = (url: string): string => (URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : '');

/** The first of the names that holds something that can be read, within its bounds. */
function nameOf(...names: readonly (string | undefined)[]): string {
  for (const name of names) {
    const shown = name
      ?.replaceAll(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, longestName)
      .toWellFormed();
    if (shown !== undefined && shown !== '') return shown;
  }
  return 'Document';
}
