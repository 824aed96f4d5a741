/** A made-up corpus: the same in each run. */
interface Corpus {
  readonly texts: readonly string[];
  /** Of length 1, one for each text. */
  readonly vectors: readonly Float32Array[];
}

/** Questions to it: their vectors lie as near to one topic as the texts of it do. */
export interface Question {
  readonly text: string;
  readonly vector: Float32Array;
}

const vocabulary = 5_000;
const wordsOfText = 110;
/** How far texts lie from the middle of their topic, against its length. */
const spread = 0.7;

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = Math.trunc(state + 0x6d_2b_79_f5);
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Texts of so many topics, with vectors as models make them: in clusters, and with a mean that is not zero. */
export function corpusOf(
  texts: number,
  {
    dimensions,
    topics,
    questions,
  }: { readonly dimensions: number; readonly topics: number; readonly questions: number },
): Corpus & { readonly questions: readonly Question[] } {
  const next = numbersFrom(7);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const direction = (): Float32Array => unit(Float32Array.from({ length: dimensions }, normal));
  const common = direction();
  const centres = Array.from({ length: topics }, direction);
  // Few words are frequent, as in any language.
  const word = (topic: number): string =>
    `word${next() < 0.15 ? (topic * 13) % vocabulary : Math.floor(vocabulary * next() ** 3)}`;
  const near = (topic: number): Float32Array => {
    const away = direction();
    const centre = centres[topic] ?? common;
    return unit(centre.map((value, at) => value + 0.5 * (common[at] ?? 0) + spread * (away[at] ?? 0)));
  };
  const of = (length: number, topic: number): { text: string; vector: Float32Array } => ({
    text: Array.from({ length }, () => word(topic)).join(' '),
    vector: near(topic),
  });
  const made = Array.from({ length: texts }, (_, place) => of(wordsOfText, place % topics));
  return {
    texts: made.map(({ text }) => text),
    vectors: made.map(({ vector }) => vector),
    questions: Array.from({ length: questions }, (_, place) => of(8, (place * 17) % topics)),
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
