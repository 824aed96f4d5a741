import { Unreadable, type ReadFormat } from './read-text.ts';

/** Control characters that no text has. */
const control = /[\p{Cc}--[\t\n\v\f\r\u007f-\u009f]]/v;

const decoded = (bytes: Uint8Array, encoding: string): string =>
  new TextDecoder(encoding, { fatal: true }).decode(bytes);

/**
 * Bytes as text: in the encoding that their mark or `said` names, else in UTF-8, else as Windows writes Western languages.
 *
 * @throws Unreadable when it is none
 */
export function textOf(bytes: Uint8Array, said?: string): string {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : said;
  for (const encoding of marked === undefined ? ['utf-8', 'windows-1252'] : [marked, 'utf-8', 'windows-1252']) {
    try {
      const text = decoded(bytes, encoding);
      if (!control.test(text)) return text;
    } catch {
      // Not in this one, or nobody knows it.
    }
  }
  throw new Unreadable('is no text');
}

/** Text and Markdown stay as they are written. */
export const readPlain: ReadFormat = (bytes) => ({ text: textOf(bytes) });
