/** A piece of a CSV file that is a CSV file itself: the header, and some whole records. */
export interface Part {
  readonly csv: string;
  /** Number to be added to a line of this piece for the line of the file. */
  readonly lineOffset: number;
  /** How much of the file lies behind with this one, characters. */
  readonly until: number;
}

/** Of what size pieces are; `rows` and `characters`, whichever comes first. */
interface Sizes {
  readonly rows: number;
  readonly characters: number;
}

const usual: Sizes = { rows: 5_000, characters: 4_000_000 };
/** A quoted cell that is longer lacks its end. */
const longestCell = 256 * 1024;

/**
 * Cuts a CSV file between records, never inside a cell with line ends; each piece begins with the header. A file of a header
 * alone, and an empty one, is one piece.
 *
 * @param text without a byte order mark
 */
export function* partsOf(
  text: string,
  { rows: mostRows, characters }: Sizes = usual,
): Generator<Part, void, undefined> {
  const named = /^"?sep=([^"\r\n]+)"?\r?\n/i.exec(text);
  const headerFrom = named?.[0].length ?? 0;
  const firstLine = text.slice(headerFrom, lineEnd(text, headerFrom));
  const delimiter = named?.[1] ?? /[,;\t]/.exec(firstLine)?.[0] ?? ',';
  const bodyFrom = endOfRecord(text, headerFrom, delimiter);
  const header = text.slice(0, bodyFrom);
  const headerLines = linesIn(header);
  let from = bodyFrom;
  let linesBefore = headerLines;
  do {
    let until = from;
    for (let rows = 0; rows < mostRows && until < text.length && until - from < characters; rows += 1)
      until = endOfRecord(text, until, delimiter);
    const records = text.slice(from, until);
    yield { csv: header + records, lineOffset: linesBefore - headerLines, until };
    linesBefore += linesIn(records);
    from = until;
  } while (from < text.length);
}

/** Behind the line end of the line at a place. */
function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}

/** Behind the line end of the record at a place. A quote that is never closed ends with its line. */
function endOfRecord(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length) {
    if (text[at] === '"') {
      const closed = endOfQuoted(text, at);
      if (closed === undefined) return lineEnd(text, from);
      at = closed;
    }
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at += 1;
    if (text[at] === '\n') return at + 1;
    at += 1;
  }
  return text.length;
}

/** Behind the closing quote of a cell; undefined where there is none. */
function endOfQuoted(text: string, from: number): number | undefined {
  let at = text.indexOf('"', from + 1);
  while (at !== -1 && at - from <= longestCell) {
    if (text[at + 1] !== '"') return at + 1;
    at = text.indexOf('"', at + 2);
  }
  return undefined;
}

const linesIn = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
};
