import { Parser } from 'htmlparser2';

/** A page, by what it says of itself. */
export interface Page {
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Address of a picture, as it stands in the page. */
  readonly picture: string | undefined;
}

const titles = ['og:title', 'twitter:title'];
const descriptions = ['og:description', 'twitter:description', 'description'];
const pictures = ['og:image:secure_url', 'og:image', 'twitter:image'];
const wanted = new Set([...titles, ...descriptions, ...pictures]);
/** UTF-16 units; phones show less. */
const mostTitle = 300;
const mostDescription = 600;

/** Reads the head of a page as its text comes, part by part, until it has ended. */
export class PageReader {
  readonly #said = new Map<string, string>();
  readonly #parser: Parser;
  #title = '';
  #isInTitle = false;
  #isOver = false;

  constructor() {
    this.#parser = new Parser({
      onopentag: (name, { property, name: named, content }) => {
        if (name === 'body') this.#isOver = true;
        if (this.#isOver) return;
        if (name === 'title') this.#isInTitle = this.#title === '';
        const key = (property ?? named ?? '').toLowerCase();
        if (name === 'meta' && content !== undefined && wanted.has(key) && !this.#said.has(key))
          this.#said.set(key, content);
      },
      ontext: (text) => {
        if (this.#isInTitle && this.#title.length < mostTitle) this.#title += text;
      },
      onclosetag: (name) => {
        if (name === 'title') this.#isInTitle = false;
        if (name === 'head') this.#isOver = true;
      },
    });
  }

  /** @returns whether more is wanted */
  take(text: string): boolean {
    if (!this.#isOver) this.#parser.write(text);
    return !this.#isOver;
  }

  read(): Page {
    const first = (keys: readonly string[], most: number) =>
      keys.map((key) => shortened(this.#said.get(key), most)).find((text) => text !== undefined);
    return {
      title: first(titles, mostTitle) ?? shortened(this.#title, mostTitle),
      description: first(descriptions, mostDescription),
      picture: first(pictures, 2_048),
    };
  }
}

/** One line, without half a character at its end. */
function shortened(text: string | undefined, most: number): string | undefined {
  const line = (text ?? '')
    .slice(0, 8 * most)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line === ''
    ? undefined
    : line
        .slice(0, most)
        .toWellFormed()
        .replace(/\uFFFD$/, '');
}
