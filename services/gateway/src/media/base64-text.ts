import { setImmediate as turn } from 'node:timers/promises';

/**
 * Looked at and decoded at a time, characters. For an expression that the runtime does not optimise, as in a process with
 * much compiled code, each character of a match takes room on a stack that ends before 16 MiB of media do.
 */
const pieceLength = 87_384;
/** Other work gets its turn after so many pieces. */
const piecesInARow = 8;
/** Bytes by which a type is recognised. */
const headLength = 4_101;

const alphabet = /^[A-Za-z0-9+/_-]*(={0,2})$/;

/** The bytes that a base64 text stands for. */
export interface Base64Text {
  /** Bytes. */
  readonly length: number;
  readonly head: Buffer;
}

/** Base64 in pieces, without the blanks that may stand anywhere. @param from where it begins */
async function* piecesOf(text: string, from: number): AsyncGenerator<string> {
  for (let at = from, count = 1; at < text.length; at += pieceLength, count += 1) {
    yield text.slice(at, at + pieceLength).replaceAll(/\s/g, '');
    if (count % piecesInARow === 0) await turn();
  }
}

/** @returns undefined when the text is no base64, or nothing */
export async function lookAtBase64(text: string, from: number): Promise<Base64Text | undefined> {
  let characters = 0;
  let padding = 0;
  let head = '';
  for await (const piece of piecesOf(text, from)) {
    const match = alphabet.exec(piece);
    const pads = match?.[1]?.length ?? 0;
    // Nothing but padding comes after padding.
    if (match === null || (padding > 0 && pads < piece.length)) return undefined;
    padding += pads;
    characters += piece.length - pads;
    if (head.length < headLength * 2) head += piece.slice(0, headLength * 2);
  }
  if (characters === 0 || characters % 4 === 1 || padding > 2) return undefined;
  return { length: Math.floor((characters * 3) / 4), head: Buffer.from(head, 'base64').subarray(0, headLength) };
}

/** The bytes of a base64 text. */
export async function* decodedBase64(text: string, from: number): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const piece of piecesOf(text, from)) {
    const known = rest + piece;
    const whole = known.length - (known.length % 4);
    rest = known.slice(whole);
    if (whole > 0) yield Buffer.from(known.slice(0, whole), 'base64');
  }
  if (rest !== '') yield Buffer.from(rest, 'base64');
}
