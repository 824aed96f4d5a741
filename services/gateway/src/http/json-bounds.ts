import { invalid, Refused } from '@messaging-gateway/messaging';

/** Items of lists and fields of objects in one body, at most: what parsing costs grows with them, not with its bytes. */
const mostValues = 100_000;
/** Names of fields in one body, bytes together, at most: a parser keeps each of them, however many there are. */
const mostNameBytes = 2 * 1024 * 1024;
/** Lists and objects within each other, at most: whoever walks a deeper body by calling itself runs out of stack. */
const deepest = 100;
/** So far a text is read byte by byte; then its end is looked for. */
const shortText = 256;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/**
 * Looks at JSON before it is parsed. Whether it is JSON at all is the parser's matter.
 *
 * @param json in UTF-8
 * @throws Refused VALIDATION_ERROR when it is nested too deeply, PAYLOAD_TOO_LARGE when it holds too many values or too long names
 */
export function assertBounded(json: Buffer): void {
  let values = 0;
  let depth = 0;
  let nameBytes = 0;
  let textBytes = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === quote) {
      const end = endOfText(json, at + 1);
      textBytes = end - at;
      at = end;
    } else if (byte === colon) {
      nameBytes += textBytes;
      if (nameBytes > mostNameBytes)
        throw new Refused('PAYLOAD_TOO_LARGE', 'The names of its fields take more than 2 MiB.');
    } else if (closing.has(byte)) depth -= 1;
    else if (byte === comma || opening.has(byte)) {
      values += 1;
      if (values > mostValues) throw new Refused('PAYLOAD_TOO_LARGE', `The body holds more than ${mostValues} values.`);
      if (byte !== comma) depth += 1;
      if (depth > deepest)
        throw invalid([{ path: 'body', message: `must not be nested deeper than ${deepest} levels` }]);
    }
  }
}

/** Where the quote is that ends a text, or the end of it all. */
function endOfText(json: Buffer, begin: number): number {
  let at = begin;
  for (;;) {
    for (const until = at + shortText; at < until && at < json.length; at += 1) {
      if (json[at] === quote) return at;
      if (json[at] === backslash) at += 1;
    }
    const end = json.indexOf(quote, at);
    if (end === -1) return json.length;
    let escapes = 0;
    while (end - escapes > at && json[end - escapes - 1] === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
    at = end + 1;
  }
}
