import { getDocumentProxy } from 'unpdf';
import { Collected, Unreadable, type ReadFormat } from './read-text.ts';

/** Lines further apart than so many of their heights begin a paragraph. */
const apart = 1.7;

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The text of all pages, a paragraph where lines stand apart. What is only a picture has none. */
export const readPdf: ReadFormat = async (bytes) => {
  const document = await opened(bytes);
  const all = new Collected();
  let pages = 0;
  let faults = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    pages += 1;
    try {
      await readPage(document, number, all);
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      faults += 1;
    }
    all.add('\n\n');
  }
  if (faults > 0 && faults === pages) throw unreadable();
  return { text: all.toString() };
};

async function opened(bytes: Uint8Array): Promise<Document> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      useSystemFonts: false,
      disableFontFace: true,
    });
  } catch (error) {
    if ((error as Error).name === 'PasswordException') throw new Unreadable('is locked by a password');
    throw unreadable();
  }
}

const unreadable = (): Unreadable => new Unreadable('is no PDF that can be read');

async function readPage(document: Document, number: number, all: Collected): Promise<void> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  let before: number | undefined;
  for (const item of items) {
    if (!('str' in item)) continue;
    const { str, hasEOL, height } = item;
    const at = (item.transform as readonly number[])[5] ?? 0;
    if (str.trim() !== '') {
      if (before !== undefined && height > 0 && Math.abs(before - at) > apart * height) all.add('\n');
      before = at;
    }
    all.add(hasEOL ? `${str}\n` : str);
  }
  page.cleanup();
}
