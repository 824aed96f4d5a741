import mammoth from 'mammoth';
import { Collected, Unreadable, type ReadFormat } from './read-text.ts';

/** The paragraphs of a Word document, tables too; pictures are not looked at. */
export const readDocx: ReadFormat = async (bytes) => {
  try {
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
    const all = new Collected();
    all.add(value);
    return { text: all.toString() };
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('is no DOCX that can be read');
  }
};
