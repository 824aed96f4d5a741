/** The most that a chunk holds, UTF-16 code units: a thought or two, and within what any model for embeddings takes. */
export const chunkLength = 1_000;
/** So far behind the bound a text is looked at, to tell where its words end. */
const beyond = 100;

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Cuts a text into chunks: paragraphs, short ones together; a long one between lines, sentences, words, and where there is nothing of
 * that between characters. Only white space is lost. It costs as much for each part of the text: whoever reads a long one can stop.
 */
export function* chunksOf(text: string): Generator<string> {
  let chunk = '';
  for (const paragraph of paragraphsOf(text.toWellFormed())) {
    if (chunk !== '' && chunk.length + 2 + paragraph.length <= chunkLength) {
      chunk += `\n\n${paragraph}`;
      continue;
    }
    if (chunk !== '') yield chunk;
    chunk = '';
    for (const piece of piecesOf(paragraph)) {
      if (chunk !== '') yield chunk;
      chunk = piece;
    }
  }
  if (chunk !== '') yield chunk;
}

/** Paragraphs of a text: the parts between blank lines. */
function* paragraphsOf(text: string): Generator<string> {
  const blank = /\r?\n[^\S\n]*\n\s*/g;
  let from = 0;
  for (;;) {
    const found = blank.exec(text);
    const paragraph = text.slice(from, found?.index).trim();
    if (paragraph !== '') yield paragraph;
    if (found === null) return;
    from = blank.lastIndex;
  }
}

function* piecesOf(paragraph: string): Generator<string> {
  let from = 0;
  while (paragraph.length - from > chunkLength) {
    const end = from + cutIn(paragraph.slice(from, from + chunkLength + beyond));
    const piece = paragraph.slice(from, end).trim();
    if (piece !== '') yield piece;
    from = end;
  }
  const last = paragraph.slice(from).trim();
  if (last !== '') yield last;
}

/**
 * Where to cut a text that is too long: the best place that leaves a chunk at least half full. Segmenters are asked about one place of a
 * short text: going through a long one takes time that grows with its square.
 */
function cutIn(text: string): number {
  const places = [
    () => text.lastIndexOf('\n', chunkLength),
    () => beginOf(sentences, text),
    () => beginOf(words, text),
  ];
  for (const place of places) {
    const found = place();
    if (found >= chunkLength / 2) return found;
  }
  const grapheme = beginOf(graphemes, text);
  if (grapheme > 0) return grapheme;
  // One character with a thousand marks: a pair of surrogates stays together.
  const code = text.charCodeAt(chunkLength - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff ? chunkLength - 1 : chunkLength;
}

/** Where the segment begins that stands at the bound. */
const beginOf = (segmenter: Intl.Segmenter, text: string): number =>
  segmenter.segment(text).containing(chunkLength)?.index ?? 0;
