import { TextDecoder } from 'node:util';
import { Slots } from '@messaging-gateway/runtime';
import type { TargetPolicy } from '@messaging-gateway/target-guard';
import { fetched, type Fetched, type Fetching } from './fetching.ts';
import { type Page, PageReader } from './page.ts';
import { thumbnailOf } from '../pictures/pictures.ts';

/** A preview: what is shown of the page that a text names. */
export interface LinkPreview {
  /** The address as it stands in the text. */
  readonly url: string;
  readonly title: string;
  readonly description?: string;
  /** JPEG. */
  readonly thumbnail?: Uint8Array;
}

/**
 * Never fails: a page that cannot be read has no preview.
 *
 * @param of the organization that waits: one does not wait for another's pages
 */
export type MakePreview = (text: string, waitMs: number, of: string) => Promise<LinkPreview | undefined>;

/** How long reading a page may take, milliseconds. */
interface PreviewTimes {
  /** All of it: a lane waits for it. */
  readonly wholeMs: number;
  /** Without a sign of life. */
  readonly silenceMs: number;
  /** The picture: after that the preview is made without. */
  readonly pictureMs: number;
}

const usual: PreviewTimes = { wholeMs: 6_000, silenceMs: 4_000, pictureMs: 4_000 };
/** The head of a page is in its first bytes. */
const mostOfPage = 512 * 1024;
const mostOfPicture = 3 * 1024 * 1024;
/** Pages read at the same time: of all, and of one organization. */
const atOnce = 12;
const ofOne = 4;
const pages = /^(text\/html|application\/xhtml\+xml)\b/i;
const pictures = /^image\/(jpeg|png|webp|gif|avif)\b/i;

/** Reads pages for previews through the target guard: they are what a tenant's text names. */
export function linkPreviews(policy: TargetPolicy, times = usual): MakePreview {
  const slots = new Slots(atOnce, ofOne);
  return async (text, waitMs, of) => {
    const link = firstLink(text);
    if (link === undefined) return undefined;
    const signal = AbortSignal.timeout(Math.max(0, Math.min(times.wholeMs, waitMs)));
    const bounds = { policy, signal, silenceMs: times.silenceMs, pictureMs: times.pictureMs, of };
    const made = slots.run(() => previewOf(link, bounds), { of, signal });
    return inTime(made, signal).catch(() => undefined);
  };
}

interface Bounds extends Omit<Fetching, 'accept'> {
  readonly pictureMs: number;
  readonly of: string;
}

async function previewOf(link: string, bounds: Bounds): Promise<LinkPreview | undefined> {
  const read = async (found: Fetched) => ({ page: await pageIn(found), url: found.url });
  const found = await fetched(link, { ...bounds, accept: pages }, read);
  const title = found?.page.title;
  if (found === undefined || title === undefined) return undefined;
  const { description, picture } = found.page;
  const signal = AbortSignal.any([bounds.signal, AbortSignal.timeout(bounds.pictureMs)]);
  const shown = pictureAt(picture, found.url, { ...bounds, signal });
  const thumbnail = await inTime(shown, signal).catch(() => undefined);
  return {
    url: link,
    title,
    ...(description !== undefined && { description }),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

async function pageIn({ body, contentType }: Fetched): Promise<Page> {
  const decoder = decoderOf(contentType);
  const reader = new PageReader();
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (!reader.take(decoder.decode(part, { stream: true })) || size >= mostOfPage) break;
  }
  return reader.read();
}

function decoderOf(contentType: string): TextDecoder {
  const [, charset = 'utf-8'] = /charset\s*=\s*"?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

async function pictureAt(address: string | undefined, page: URL, bounds: Bounds): Promise<Buffer | undefined> {
  if (address === undefined || !URL.canParse(address, page.href)) return undefined;
  const bytes = await fetched(new URL(address, page), { ...bounds, accept: pictures }, async ({ body }) => {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > mostOfPicture) return undefined;
      parts.push(part);
    }
    return Buffer.concat(parts);
  });
  return bytes === undefined ? undefined : thumbnailOf(bytes, bounds.of, bounds.signal);
}

const link = /https?:\/\/[^\s<>"'`]+/i;
/** Signs that end a sentence rather than an address. */
const ending = /[.,;:!?*_~'"]$/;
/** No address is longer. */
const most = 2_048;

/** The first web address that a text names, as it stands there. */
export function firstLink(text: string): string | undefined {
  let [found] = link.exec(text) ?? [];
  while (found !== undefined && (ending.test(found) || isUnopened(found))) found = found.slice(0, -1);
  return found !== undefined && found.length <= most && URL.canParse(found) ? found : undefined;
}

/** A bracket that closes what stood open before the address. */
const isUnopened = (found: string): boolean =>
  (found.endsWith(')') && !found.includes('(')) || (found.endsWith(']') && !found.includes('['));

/** The result of work, if it comes before the signal. The work itself goes on. @throws the signal's reason */
async function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const late = Promise.withResolvers<never>();
  const giveUp = (): void => late.reject(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
