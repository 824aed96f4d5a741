/** Texts that are prepared once per connection, at most; a service with more than that builds texts at run time. */
const mostTexts = 500;
/** Of all services of a process: two that shared a connection would not take each other's name. */
let named = 0;

/** The texts that a service has prepared, by the names under which its connections know them. */
export class PreparedTexts {
  readonly #names = new Map<string, string>();

  /** @returns undefined for a text that is not prepared, as there are too many */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= mostTexts) return known;
    return this.#newNameOf(text);
  }

  /** A name under which the text is prepared anew on each connection, as its answer has got another type. */
  renewed(text: string, outdated: string): string {
    const known = this.#names.get(text);
    return known === undefined || known === outdated ? this.#newNameOf(text) : known;
  }

  #newNameOf(text: string): string {
    const name = `q${named++}`;
    this.#names.set(text, name);
    return name;
  }
}
