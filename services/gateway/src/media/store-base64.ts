import { mediaLimits, namedUuids, type Fault, type MediaKind } from '@messaging-gateway/contracts';
import { fits, mimetypeOf } from '@messaging-gateway/media';
import { Refused } from '@messaging-gateway/messaging';
import { invalid } from '../http/input.ts';
import { base64Values, type Base64Field, type Base64Value } from './base64-fields.ts';
import type { RequestMedia } from './request-media.ts';

const dataUrl = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i;
/** What stands before the bytes is looked for among so many characters. */
const prefixLength = 1_024;
const alphabet = /^[A-Za-z0-9+/_-]*$/;
/** Checked and decoded at a time, characters: a multiple of four. */
const pieceLength = 87_384;

interface Decodable {
  readonly value: Base64Value;
  readonly text: string;
  /** What the sender says that it is. */
  readonly said: string | undefined;
}

/**
 * Puts the media of a body into the store, and their keys into the body (see `Base64Media`).
 *
 * @param id of the resource that the request makes: a repeat stores under the same keys
 * @param body holds keys when this returns
 * @throws Refused VALIDATION_ERROR or PAYLOAD_TOO_LARGE naming the field; then nothing is stored
 */
export async function storeBase64(
  body: unknown,
  fields: readonly Base64Field[],
  { organizationId, id, put }: { readonly organizationId: string; readonly id: string; readonly put: RequestMedia },
): Promise<void> {
  const given = base64Values(body, fields).map(decodable);
  const faults = (await Promise.all(given.map(faultOf))).filter((fault) => fault !== undefined);
  if (faults.length > 0) throw invalid(faults);
  const named = namedUuids(id);
  for (const { value, text, said } of given) {
    const filename = value.beside['filename'];
    const { key } = await put.put(organizationId, named(value.where), decoded(text), {
      mimetype: said,
      ...(typeof filename === 'string' && { filename }),
    });
    value.replace(key);
  }
}

function decodable(value: Base64Value): Decodable {
  const [prefix = '', inUrl] = dataUrl.exec(value.text.slice(0, prefixLength)) ?? [];
  const beside = value.beside['mimetype'];
  const text = value.text.slice(prefix.length).replaceAll(/\s/g, '');
  return { value, text, said: typeof beside === 'string' ? beside : inUrl };
}

/** @throws Refused PAYLOAD_TOO_LARGE */
async function faultOf({ value: { where: path, kinds }, text, said }: Decodable): Promise<Fault | undefined> {
  const length = lengthOf(text);
  if (length === undefined) return { path, message: 'must be base64' };
  const mimetype = await mimetypeOf(Buffer.from(text.slice(0, 5_468), 'base64'), said);
  const kind = kinds.find((one) => fits(mimetype, one));
  if (kind === undefined) return { path, message: `must be ${named(kinds)}, and its bytes are ${mimetype}` };
  const limit = mediaLimits[kind];
  if (length <= limit) return undefined;
  const message = `may have at most ${limit / 1_048_576} MiB`;
  throw new Refused('PAYLOAD_TOO_LARGE', `${path} ${message}.`, [{ path, message }]);
}

/**
 * Bytes that a base64 text stands for; undefined when it is none. Looked at piece by piece: for an expression that the
 * runtime does not optimise, as in a process with much compiled code, each character of a match takes room on a stack
 * that ends before 16 MiB of media do.
 */
function lengthOf(text: string): number | undefined {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const characters = text.length - padding;
  if (characters === 0 || characters % 4 === 1) return undefined;
  for (let at = 0; at < characters; at += pieceLength)
    if (!alphabet.test(text.slice(at, Math.min(at + pieceLength, characters)))) return undefined;
  return Math.floor((characters * 3) / 4);
}

const articles: Readonly<Record<MediaKind, string>> = {
  image: 'an image',
  video: 'a video',
  audio: 'audio',
  document: 'a document',
};
const named = (kinds: readonly MediaKind[]): string => kinds.map((kind) => articles[kind]).join(' or ');

async function* decoded(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += pieceLength) yield Buffer.from(text.slice(at, at + pieceLength), 'base64');
}
