import { RE2JS } from 're2js';
import type { Match } from '../../answerers/compiled.ts';

/** Instructions of a pattern, at most: beyond this the engine has no bounded way to find groups. */
const maxInstructions = 500;
/** Parts of a pattern with its repeats written out, at most: a pattern that passes is compiled in a few milliseconds. */
const maxParts = 4 * maxInstructions;
/** Visits of an instruction at a character that finding a match and its groups may take: so many the engine takes itself. */
const visits = 262_144;
/** Memory of the states of one pattern, bytes. */
const memory = 131_072;

/** Thrown where the engine would begin to look at all of a long text with all instructions. */
const tooMuch = new Error('A pattern would take too long.');

/**
 * A regular expression of RE2, bounded in time and memory whatever it is and however long the text: whether it matches, an
 * automaton says in one pass. Where that would need too many states, and for the groups of a match, only the beginning of a
 * text that is too long is looked at: 262,144 characters divided by the instructions of the pattern.
 */
export class Pattern {
  readonly #expression: RE2JS;
  readonly #beginning: number;

  /** @throws Error saying why RE2 does not take it, or that it is too large */
  constructor(source: string) {
    const parts = partsOf(source);
    if (parts > maxParts)
      throw new Error(`it is too large: ${parts} parts with its repeats written out, of at most ${maxParts}`);
    this.#expression = RE2JS.compile(source);
    const size = this.#expression.programSize();
    if (size > maxInstructions) throw new Error(`it is too large: ${size} instructions, of at most ${maxInstructions}`);
    this.#beginning = Math.floor(visits / size) - 2;
    const engine = this.#expression.re2();
    engine.dfa.stateBudget = memory;
    engine.dfa.memBudget = memory;
    engine.doExecuteNFA = () => {
      throw tooMuch;
    };
  }

  /** Where it first matches; a text is empty that cannot be told within the bounds. */
  match(text: string): Match | undefined {
    const whole = attempt(() => this.#expression.test(text));
    if (whole === false) return undefined;
    const found = (whole && attempt(() => this.#find(text))) ?? this.#find(text.slice(0, this.#beginning));
    return found ?? (whole ? { text: '', groups: [] } : undefined);
  }

  /** @returns null: it does not match */
  #find(text: string): Match | null {
    const matcher = this.#expression.matcher(text);
    if (!matcher.find()) return null;
    const groups = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1) ?? '');
    return { text: matcher.group() ?? '', groups };
  }
}

/** An escape, a literal run, a class, a repeat with bounds, or any other character. */
const token =
  /\\Q[^]*?(?:\\E|$)|\\(?:[pP]\{[^}]*\}|[^])|\[\^?\]?(?:\\[^]|\[:\^?[a-z]*:\]|[^\]\\])*\]|\{(\d+)(?:(,)(\d*))?\}|[^]/gy;

/**
 * Counts the parts of a pattern with its repeats written out, since compiling takes time and memory in proportion to them. Reads
 * the source once. Of a source that is no pattern it counts something, and the compiler refuses it.
 */
function partsOf(source: string): number {
  /** Parts of the groups that are open, the innermost last. */
  const open = [0];
  /** Parts of what a repeat would repeat. */
  let last = 0;
  const add = (parts: number): void => {
    open[open.length - 1] = (open.at(-1) ?? 0) + parts;
  };
  for (const [text, minimum, comma, maximum] of source.matchAll(token)) {
    if (text === '(') open.push(1);
    else if (text === ')' && open.length > 1) {
      last = open.pop() ?? 0;
      add(last);
    } else if (minimum !== undefined) {
      const times = maximum ? Number(maximum) : Number(minimum) + (comma === undefined ? 0 : 1);
      add(last * Math.max(0, times - 1));
      last *= Math.max(1, times);
    } else {
      last = text.startsWith('\\Q') ? text.length : 1;
      add(last);
    }
  }
  return open.reduce((sum, parts) => sum + parts, 0);
}

/** @throws Error saying why RE2 does not take it, or that it is too large */
export const assertPattern = (source: string): void => void new Pattern(source);

/** @returns undefined: it would take too long */
function attempt<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch (error) {
    if (error === tooMuch) return undefined;
    throw error;
  }
}
