import { kindOfBase64, mediaLimits, namedUuids, type Fault, type MediaKind } from '@messaging-gateway/contracts';
import { fits, mimetypeOf } from '@messaging-gateway/media';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { decodedBase64, lookAtBase64 } from './base64-text.ts';
import { markedFields, markedTexts, type MarkedField, type MarkedText } from './marked-fields.ts';
import type { TSchema } from 'typebox';
import type { RequestMedia } from './request-media.ts';

const dataUrl = /^data:([^;,]*)(?:;[^;,]*)*;base64,/i;
/** The prefix of a data URL is looked for among so many characters. */
const prefixLength = 1_024;
/** Fields of a body that hold media as base64 (`Base64Media`). */
export const base64Fields = (schema: TSchema | undefined): readonly MarkedField<MediaKind>[] =>
  markedFields(schema, kindOfBase64);

interface Decodable {
  readonly value: MarkedText<MediaKind>;
  /** Where the base64 begins in the text. */
  readonly from: number;
  /** The type that the sender says it is. */
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
  fields: readonly MarkedField<MediaKind>[],
  { organizationId, id, put }: { readonly organizationId: string; readonly id: string; readonly put: RequestMedia },
): Promise<void> {
  const given = markedTexts(body, fields).map(decodable);
  const faults = (await Promise.all(given.map(faultOf))).filter((fault) => fault !== undefined);
  if (faults.length > 0) throw invalid(faults);
  const named = namedUuids(id);
  for (const { value, from, said } of given) {
    const filename = value.beside['filename'];
    const { key } = await put.put(organizationId, named(value.where), decodedBase64(value.text, from), {
      mimetype: said,
      ...(typeof filename === 'string' && { filename }),
    });
    value.replace(key);
  }
}

function decodable(value: MarkedText<MediaKind>): Decodable {
  const [prefix = '', inUrl] = dataUrl.exec(value.text.slice(0, prefixLength)) ?? [];
  const beside = value.beside['mimetype'];
  return { value, from: prefix.length, said: typeof beside === 'string' ? beside : inUrl };
}

/** @throws Refused PAYLOAD_TOO_LARGE */
async function faultOf({
  value: { where: path, marks: kinds, text },
  from,
  said,
}: Decodable): Promise<Fault | undefined> {
  const found = await lookAtBase64(text, from);
  if (found === undefined) return { path, message: 'must be base64' };
  const { length, head } = found;
  const mimetype = await mimetypeOf(head, said);
  const kind = kinds.find((one) => fits(mimetype, one));
  if (kind === undefined) return { path, message: `must be ${named(kinds)}, and its bytes are ${mimetype}` };
  const limit = mediaLimits[kind];
  if (length <= limit) return undefined;
  const message = `may have at most ${limit / 1_048_576} MiB`;
  throw new Refused('PAYLOAD_TOO_LARGE', `${path} ${message}.`, [{ path, message }]);
}

const articles: Readonly<Record<MediaKind, string>> = {
  image: 'an image',
  video: 'a video',
  audio: 'audio',
  document: 'a document',
};
const named = (kinds: readonly MediaKind[]): string => kinds.map((kind) => articles[kind]).join(' or ');
