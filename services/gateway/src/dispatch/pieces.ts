import { TextDecoder } from 'node:util';
import type { Operation, OperationReply, Piece, PiecesSpec } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { Request } from 'express';

/** Characters of a text, and items of a list, that go out at once. */
const mostCharacters = 256 * 1024;
const mostItems = 1000;
/** Of a body that is streamed, bytes; JSON is read by its own limit. */
const mostBytes = 25 * 1024 * 1024;

const typeOf = (type: string | undefined): string | undefined => type?.split(';')[0]?.trim().toLowerCase();

/** Whether a body of this content type is the text of the operation's field itself. */
export const isTextOf = ({ pieces }: Operation, type: string | undefined): boolean =>
  pieces?.contentType !== undefined && typeOf(type) === pieces.contentType;

export type AskWithPiece = (body: unknown, piece: Piece) => Promise<OperationReply>;

/**
 * Asks the owner for one piece of a body after the other; its last answer counts.
 *
 * @param body as it was read; its field is not there yet when the request's body is the text itself
 */
export async function inPieces(
  { field, contentType }: PiecesSpec,
  request: Request,
  body: unknown,
  ask: AskWithPiece,
): Promise<OperationReply> {
  const given = body as Record<string, unknown>;
  const isText = contentType !== undefined && typeOf(request.headers['content-type']) === contentType;
  if (!isText) return inParts([given[field]], given, field, ask);
  try {
    return await inParts(textOf(request), given, field, ask);
  } finally {
    request.resume(); // what a refusal left unread would stand in the way of the connection's next request
  }
}

async function inParts(
  parts: AsyncIterable<unknown> | Iterable<unknown>,
  given: Readonly<Record<string, unknown>>,
  field: string,
  ask: AskWithPiece,
): Promise<OperationReply> {
  let reply: OperationReply | undefined;
  // One is held back, since only the end of the body shows which one is the last.
  let held: string | unknown[] = Array.isArray(given[field]) ? [] : ''; // an empty field is a piece too
  const next = async (part: unknown, isLast: boolean): Promise<void> => {
    const piece = { isLast, ...(reply?.state !== undefined && { state: reply.state }) };
    reply = await ask({ ...given, [field]: part }, piece);
  };
  for await (const part of parts) {
    for (const cut of cuts(part)) {
      if (held.length > 0) await next(held, false);
      held = cut;
    }
  }
  await next(held, true);
  if (reply === undefined) throw new Error('No piece was asked for.');
  return reply;
}

function* cuts(part: unknown): Iterable<string | unknown[]> {
  if (Array.isArray(part)) {
    for (let from = 0; from < part.length; from += mostItems) yield part.slice(from, from + mostItems);
    return;
  }
  const text = part as string;
  for (let from = 0; from < text.length;) {
    const until = from + mostCharacters;
    // Never through a character of two units.
    const end = /[\uD800-\uDBFF]/.test(text[until - 1] ?? '') ? until + 1 : until;
    yield text.slice(from, end);
    from = end;
  }
}

/** The text of a body as it comes, in parts worth asking for. @throws Refused PAYLOAD_TOO_LARGE, VALIDATION_ERROR */
async function* textOf(request: Request): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let bytes = 0;
  let text = '';
  // A refusal half way is still to be answered on the same connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Refused('PAYLOAD_TOO_LARGE', 'The body is larger than this route takes.');
    text += decoded(decoder, chunk);
    if (text.length < mostCharacters) continue;
    yield text;
    text = '';
  }
  yield text + decoded(decoder);
}

function decoded(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw invalid([{ path: 'body', message: 'must be UTF-8' }]);
  }
}
