/** A text as keywords are looked for in it. */
export interface Words {
  /** As it is written, in composed form. */
  readonly text: string;
  /** Without differences of case, blanks one space each. */
  readonly folded: string;
}

const blanks = /\s+/gu;
const dotted = /i\u0307/g;

/** Without differences of case in any script: `STRASSE` is `straße`, `İ` is `i`, `Σ` and `ς` are `σ`. */
const withoutCase = (text: string): string =>
  text.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll(dotted, 'i');

/** As keywords are compared: composed, without case, each run of blanks one space. */
export const folded = (text: string): string => withoutCase(text.normalize('NFC')).replaceAll(blanks, ' ');

export function wordsOf(given: string): Words {
  const text = given.normalize('NFC');
  return { text, folded: folded(text) };
}

/**
 * The first place of a text where one stands as whole words.
 *
 * @param keyword `folded`, not empty
 * @returns it as it is written there; undefined: nowhere
 */
export function findWords(words: Words, keyword: string): string | undefined {
  let places: Places | undefined;
  for (let at = words.folded.indexOf(keyword); at >= 0; at = words.folded.indexOf(keyword, at + 1)) {
    places ??= placesOf(words);
    places.looks += 1;
    if (places.looks > mostLooks) return undefined;
    const end = at + keyword.length;
    if (isEdgeAt(places, at, 'begin') && isEdgeAt(places, end, 'end'))
      return words.text.slice(places.begin[at], places.end[end]);
  }
  return undefined;
}

/** Places of one text at which keywords are found in the midst of words, at most, over all flows: some 100 ms. */
const mostLooks = 500_000;

const none = -1;
const [unknown, yes, no] = [0, 1, 2] as const;

/** Characters of the folded text, as they are written. Arrays by places in the folded text. */
interface Places {
  readonly text: string;
  /** Where a character that begins there begins in the text; -1: none does. */
  readonly begin: Int32Array;
  /** Where a character that ends there ends in the text; -1: none does. */
  readonly end: Int32Array;
  /** Whether words begin and end there, as far as that was asked. */
  readonly edges: { readonly begin: Uint8Array; readonly end: Uint8Array };
  /** How often a keyword was found. */
  looks: number;
  /** Where words begin and end, in scripts that write them without blanks; made when it is asked for. */
  segments?: ReadonlySet<number>;
}

const remembered = new WeakMap<Words, Places>();

function placesOf(words: Words): Places {
  const known = remembered.get(words);
  if (known !== undefined) return known;
  const { text, folded: without } = words;
  const size = without.length + 1;
  const [begin, end] = [new Int32Array(size).fill(none), new Int32Array(size).fill(none)];
  const unit = /\s+|./gsu;
  let at = 0;
  for (const { 0: written, index } of text.matchAll(unit)) {
    begin[at] = index;
    at += isBlank(written) ? 1 : withoutCase(written).length;
    end[at] = index + written.length;
  }
  const places = { text, begin, end, looks: 0, edges: { begin: new Uint8Array(size), end: new Uint8Array(size) } };
  remembered.set(words, places);
  return places;
}

/** @param at a place in the folded text */
function isEdgeAt(places: Places, at: number, side: 'begin' | 'end'): boolean {
  const known = places.edges[side];
  if (known[at] === unknown) {
    const written = places[side][at] ?? none;
    known[at] = written !== none && isEdge(places, written, side) ? yes : no;
  }
  return known[at] === yes;
}

const isBlank = (text: string): boolean => /^\s/u.test(text);

const wordly = /^[\p{L}\p{N}\u200c]$/u;
const letter = /^\p{L}$/u;
const digit = /^\p{N}$/u;
/** Characters that belong to the one before: accents, selectors, skin tones, joiners of emoji. */
const attached = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d)$/u;
const apostrophe = /^['\u2019]$/;
const joinsDigits = /^[.,]$/;
/** Scripts that write words without blanks. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/**
 * Whether words may begin or end between two characters: as Unicode's UAX 29 has it, but that a word also begins behind an
 * apostrophe (l’heure), and that full stops, colons and underscores between letters part them (`_price_` is italics).
 */
function isEdge(places: Places, at: number, side: 'begin' | 'end'): boolean {
  const { text } = places;
  if (at === 0 || at === text.length) return true;
  const before = characterBefore(text, at);
  const after = characterAt(text, at);
  if (attached.test(after) || before === '\u200d') return false;
  if (unspaced.test(before) && unspaced.test(after)) return segmentsOf(places).has(at);
  if (wordly.test(baseBefore(text, at)) && wordly.test(after)) return false;
  const next = characterAt(text, at + after.length);
  if (side === 'end' && letter.test(baseBefore(text, at)) && apostrophe.test(after) && letter.test(next)) return false;
  const isNumber = (one: string, mark: string, other: string): boolean =>
    digit.test(one) && joinsDigits.test(mark) && digit.test(other);
  return side === 'end'
    ? !isNumber(before, after, next)
    : !isNumber(characterBefore(text, at - before.length), before, after);
}

const characterAt = (text: string, at: number): string => {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
};

function characterBefore(text: string, at: number): string {
  if (at <= 0) return '';
  const pair = at >= 2 ? characterAt(text, at - 2) : '';
  return pair.length === 2 ? pair : text.charAt(at - 1);
}

/** Accents looked for, at most: nobody's letter has more. */
const mostAccents = 8;

/** The character before a place, without the accents upon it. */
function baseBefore(text: string, at: number): string {
  let found = characterBefore(text, at);
  for (let back = at, tried = 0; tried < mostAccents && attached.test(found); tried += 1) {
    back -= found.length;
    found = characterBefore(text, back);
  }
  return found;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

function segmentsOf(places: Places): ReadonlySet<number> {
  places.segments ??= new Set([...segmenter.segment(places.text)].map(({ index }) => index));
  return places.segments;
}
