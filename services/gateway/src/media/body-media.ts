import {
  isMediaUrl,
  keyOfMediaUrl,
  kindOfBase64,
  mediaLimits,
  namedUuids,
  type Caller,
  type Fault,
  type MediaKind,
  type Operation,
} from '@messaging-gateway/contracts';
import { fits, mimetypeOf, type MediaStore } from '@messaging-gateway/media';
import { Refused, invalid } from '@messaging-gateway/messaging';
import type { Logger } from '@messaging-gateway/runtime';
import type { Request } from 'express';
import type { TSchema } from 'typebox';
import { decodedBase64, lookAtBase64 } from './base64-text.ts';
import type { MediaQuota } from './media-quota.ts';
import { RequestMedia } from './request-media.ts';

export interface BodyMediaOptions {
  readonly media: MediaStore;
  readonly quota: MediaQuota;
  readonly log: Logger;
}

/** Of the request's state. */
interface MediaState {
  readonly caller?: Caller;
  media?: RequestMedia;
}

/** Makes a body with media what the owner takes: URLs of the store without the own host, keys instead of base64. */
export type TakeInMedia = (body: unknown, request: Request, state: MediaState, resourceId: string) => Promise<void>;

export function bodyMedia(operation: Operation, { media, quota, log }: BodyMediaOptions): TakeInMedia {
  const fields = base64Fields(operation.body);
  const withoutOwnHost = ownUrls(operation);
  return async (body, request, state, id) => {
    withoutOwnHost(body, request);
    const { organizationId } = state.caller ?? {};
    if (fields.length === 0 || organizationId === undefined) return;
    const put = (state.media ??= new RequestMedia(media, quota, log));
    await storeBase64(body, fields, { organizationId, id, put });
  };
}

/**
 * Takes the gateway's own host off the URLs of media in a body (`MediaUrl`): the owner knows by its path what lies in the
 * store, and fetches all else. Own is the host that the request was sent to. Who names another one there than the
 * gateway's gets no more than the path alone would have got: media of the own organization.
 */
function ownUrls(operation: Operation): (body: unknown, request: Request) => void {
  const fields = markedFields(operation.body, (schema) => (isMediaUrl(schema) ? true : undefined));
  return (body, request) => {
    for (const { text, replace } of markedTexts(body, fields)) {
      const path = pathOn(request.host, text);
      if (path !== undefined && keyOfMediaUrl(path) !== undefined) replace(path);
    }
  };
}

function pathOn(host: string | undefined, url: string): string | undefined {
  if (host === undefined || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { host: named, pathname, username, password } = new URL(url);
  return named === host.toLowerCase() && username === '' && password === '' ? pathname : undefined;
}

/** A field of a body that a contract has marked. */
export interface MarkedField<T> {
  /** Names of fields from the body on; `undefined` stands for each item of a list. */
  readonly path: readonly (string | undefined)[];
  /** Several where the field is in several members of a union. */
  readonly marks: readonly T[];
}

type Node = TSchema & Partial<Record<'properties', Record<string, TSchema>> & Record<'items', TSchema>> & Branches;
type Branches = Partial<Record<'anyOf' | 'oneOf' | 'allOf', readonly TSchema[]>>;

/** All such fields of a body's schema. @param markOf undefined for a field without the mark */
function markedFields<T>(
  schema: TSchema | undefined,
  markOf: (schema: TSchema) => T | undefined,
): readonly MarkedField<T>[] {
  const found = new Map<string, { path: MarkedField<T>['path']; marks: Set<T> }>();
  const walk = (node: Node, path: MarkedField<T>['path']): void => {
    const mark = markOf(node);
    if (mark !== undefined) {
      const name = JSON.stringify(path.map((step) => step ?? null));
      const known = found.get(name) ?? { path, marks: new Set() };
      known.marks.add(mark);
      found.set(name, known);
    }
    for (const [name, child] of Object.entries(node.properties ?? {})) walk(child, [...path, name]);
    if (node.items !== undefined) walk(node.items, [...path, undefined]);
    for (const branch of [node.anyOf, node.oneOf, node.allOf]) {
      for (const child of branch ?? []) walk(child, path);
    }
  };
  if (schema !== undefined) walk(schema, []);
  return [...found.values()].map(({ path, marks }) => ({ path, marks: [...marks] }));
}

/** A text in a marked field of one body. */
interface MarkedText<T> {
  /** For example `body.messages[2].base64`. */
  readonly where: string;
  readonly marks: readonly T[];
  readonly text: string;
  /** Fields that stand beside it. */
  readonly beside: Readonly<Record<string, unknown>>;
  replace(value: string): void;
}

/** The texts of a body in such fields. Replacing changes the body. */
function markedTexts<T>(body: unknown, fields: readonly MarkedField<T>[]): readonly MarkedText<T>[] {
  return fields.flatMap(({ path, marks }) => textsAt(body, path, 'body').map((text) => ({ ...text, marks })));
}

function textsAt(node: unknown, path: MarkedField<unknown>['path'], where: string): Omit<MarkedText<never>, 'marks'>[] {
  if (typeof node !== 'object' || node === null) return [];
  const [step, ...rest] = path;
  if (step === undefined) {
    return Array.isArray(node) ? node.flatMap((item, index) => textsAt(item, rest, `${where}[${index}]`)) : [];
  }
  const holder = node as Record<string, unknown>;
  const value = holder[step];
  if (rest.length > 0) return textsAt(value, rest, `${where}.${step}`);
  if (typeof value !== 'string') return [];
  return [{ where: `${where}.${step}`, text: value, beside: holder, replace: (by) => void (holder[step] = by) }];
}

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
  if (found === undefined)
    return { path, message: 'must be base64 of the file, such as iVBORw0KGgo=, or a data URL with it' };
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
