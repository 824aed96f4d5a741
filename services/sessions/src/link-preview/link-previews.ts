import { TextDecoder } from 'node:util';
import type { TargetPolicy } from '@messaging-gateway/target-guard';
import { Slots } from '../engine/slots.ts';
import { fetched, type Fetched } from './fetching.ts';
import { firstLink } from './first-link.ts';
import { PageReader, type Page } from './page.ts';
import { thumbnailOf } from './thumbnail.ts';

/** What is shown of the page that a text names. */
export interface LinkPreview {
  /** The address as it stands in the text. */
  readonly url: string;
  readonly title: string;
  readonly description?: string;
  /** JPEG. */
  readonly thumbnail?: Uint8Array;
}

/** Never fails: a page that cannot be read has no preview. */
export type MakePreview = (text: string, waitMs: number) => Promise<LinkPreview | undefined>;

/** All of it may take so long, milliseconds: a lane waits for it. */
const wholeMs = 6_000;
/** The head of a page is in its first bytes. */
const mostOfPage = 512 * 1024;
const mostOfPicture = 3 * 1024 * 1024;
const atOnce = 6;
const pages = /^(text\/html|application\/xhtml\+xml)\b/i;
const pictures = /^image\/(jpeg|png|webp|gif|avif)\b/i;

/** Reads pages for previews through the target guard: they are what a tenant's text names. */
export function linkPreviews(policy: TargetPolicy): MakePreview {
  const slots = new Slots(atOnce);
  return async (text, waitMs) => {
    const link = firstLink(text);
    if (link === undefined) return undefined;
    const signal = AbortSignal.timeout(Math.max(0, Math.min(wholeMs, waitMs)));
    return slots.run(() => previewOf(link, policy, signal)).catch(() => undefined);
  };
}

async function previewOf(link: string, policy: TargetPolicy, signal: AbortSignal): Promise<LinkPreview | undefined> {
  const read = async (found: Fetched) => ({ page: await pageIn(found), url: found.url });
  const found = await fetched(link, { policy, signal, accept: pages }, read);
  const title = found?.page.title;
  if (found === undefined || title === undefined) return undefined;
  const { description, picture } = found.page;
  const thumbnail = await pictureAt(picture, found.url, policy, signal).catch(() => undefined);
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

async function pictureAt(
  address: string | undefined,
  page: URL,
  policy: TargetPolicy,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (address === undefined || !URL.canParse(address, page.href)) return undefined;
  const accept = pictures;
  const bytes = await fetched(new URL(address, page), { policy, signal, accept }, async ({ body }) => {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > mostOfPicture) return undefined;
      parts.push(part);
    }
    return Buffer.concat(parts);
  });
  return bytes === undefined ? undefined : thumbnailOf(bytes);
}
