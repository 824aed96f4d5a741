/** Marks of the network around a text, by what it is. */
const around = { bold: '*', italic: '_', strike: '~' } as const;
type Style = keyof typeof around;

/** Phones ignore a mark next to a blank, so blanks at the edges of the text stay outside of the marks. */
export function marked(style: Style, text: string): string {
  const inner = text.trim();
  if (inner === '') return text;
  const before = text.slice(0, text.length - text.trimStart().length);
  const after = text.slice(text.trimEnd().length);
  const mark = around[style];
  // Of several lines each has its own: the network's marks end with the line.
  const lines = inner.split('\n').map((line) => (line.trim() === '' ? line : `${mark}${line.trim()}${mark}`));
  return before + lines.join('\n') + after;
}

/** A link as a phone shows it: it makes one of whatever looks like a URL. */
export function link(text: string, url: string): string {
  const name = text.trim();
  return name === '' || name === url || `mailto:${name}` === url ? url : `${name} (${url})`;
}

/** In their order: what stands first in the list wins at the same place. Bounded, so that no text costs more than its length. */
const inline: readonly {
  readonly pattern: RegExp;
  readonly made: (match: RegExpExecArray, depth: number) => string;
}[] = [
  { pattern: /`[^`\n]{1,2000}`/y, made: ([whole]) => whole },
  { pattern: /\\([\\`*_{}[\]()#+\-.!~>|&<])/y, made: ([, char = '']) => char },
  {
    pattern: /!?\[([^[\]\n]{0,1000})\]\(<?([^()<>\s]{1,2000})>?(?:[ \t]{1,9}"[^"\n]{0,200}")?\)/y,
    made: ([, text = '', url = ''], depth) => link(within(text, depth), url),
  },
  { pattern: /<((?:https?:\/\/|mailto:)[^<>\s]{1,2000})>/y, made: ([, url = '']) => url },
  {
    pattern: /\*\*\*(?=\S)([^*]{1,1000}?)(?<=\S)\*\*\*/y,
    made: ([, text = ''], depth) => marked('bold', marked('italic', within(text, depth))),
  },
  {
    pattern: /\*\*(?=\S)((?:[^*]|\*(?!\*)){1,1000}?)(?<=\S)\*\*(?!\*)/y,
    made: ([, text = ''], depth) => marked('bold', within(text, depth)),
  },
  {
    pattern: /__(?=\S)((?:[^_]|_(?!_)){1,1000}?)(?<=\S)__(?![\p{L}\p{N}_])/uy,
    made: ([, text = ''], depth) => marked('bold', within(text, depth)),
  },
  {
    pattern: /\*(?=[^\s*])([^*\n]{1,1000}?)(?<=\S)\*(?!\*)/y,
    made: ([, text = ''], depth) => marked('italic', within(text, depth)),
  },
  {
    pattern: /_(?=[^\s_])([^_\n]{1,1000}?)(?<=\S)_(?![\p{L}\p{N}_])/uy,
    made: ([, text = ''], depth) => marked('italic', within(text, depth)),
  },
  {
    pattern: /~~(?=\S)([^~]{1,1000}?)(?<=\S)~~/y,
    made: ([, text = ''], depth) => marked('strike', within(text, depth)),
  },
  { pattern: /<\/?(?:u|br|b|i|strong|em)\s*\/?>/iy, made: ([whole]) => (/br/i.test(whole) ? '\n' : '') },
];
/** Where something may begin. */
const begins = /[`\\![<*_~]/g;
/** Marks within marks, at most. */
const deepest = 4;

function within(text: string, depth: number): string {
  if (depth >= deepest) return text;
  let made = '';
  let at = 0;
  while (at < text.length) {
    begins.lastIndex = at;
    const next = begins.exec(text)?.index ?? text.length;
    made += text.slice(at, next);
    at = next;
    if (at >= text.length) break;
    // An underscore in the midst of a word is none that marks.
    const isInWord = text[at] === '_' && /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));
    const found = isInWord ? undefined : firstAt(text, at, depth);
    made += found?.made ?? text[at];
    at += found?.length ?? 1;
  }
  return made;
}

function firstAt(text: string, at: number, depth: number): { made: string; length: number } | undefined {
  for (const { pattern, made } of inline) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { made: made(match, depth + 1), length: match[0].length };
  }
  return undefined;
}

/** Text of a heading without its marks, at both ends; undefined if the line is no heading. */
function headingIn(line: string): string | undefined {
  const start = /^ {0,3}#{1,6} +/.exec(line)?.[0];
  if (start === undefined) return undefined;
  const text = line.slice(start.length).trimEnd();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text;
}

/** No message is longer, UTF-16 units. */
export const maxTextLength = 66_000;
const fence = /^\s*```/;

/**
 * Markdown as bots write it, with the marks that the network's phones show: `*bold*`, `_italic_`, `~struck~`, code as it
 * is; links as their text and URL, headings bold. What is no markdown stays as it is.
 */
export function networkMarks(markdown: string): string {
  const lines = markdown.slice(0, maxTextLength).replaceAll('\r\n', '\n').split('\n');
  let isCode = false;
  const made = lines.map((line) => {
    if (fence.test(line)) {
      isCode = !isCode;
      return '```';
    }
    if (isCode) return line;
    const heading = headingIn(line);
    if (heading !== undefined) return marked('bold', within(heading, 0).replaceAll('*', ''));
    const item = /^( *)[*+-] +(.*)$/.exec(line);
    return item === null ? within(line, 0) : `${item[1]}- ${within(item[2] ?? '', 0)}`;
  });
  return made.join('\n');
}
