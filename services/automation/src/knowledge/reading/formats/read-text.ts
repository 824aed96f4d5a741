/** Text and title of a file. */
interface ReadText {
  readonly text: string;
  /** Title in the document. */
  readonly title?: string | undefined;
}

/** Reads the text of one kind of file. @throws Unreadable */
export type ReadFormat = (bytes: Uint8Array) => ReadText | Promise<ReadText>;

/** Why a file cannot be read; the rest of a sentence. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** The most text of one file, UTF-16 code units: as many as there are bytes in the largest one. */
const longest = 20 * 1_048_576;

/** Text as it is read, which has an end. */
export class Collected {
  readonly #parts: string[] = [];
  #length = 0;

  /** @throws Unreadable when it becomes too much */
  add(text: string): void {
    this.#length += text.length;
    if (this.#length > longest) throw new Unreadable('holds more than 20 MiB of text');
    this.#parts.push(text);
  }

  toString(): string {
    return this.#parts.join('');
  }
}
