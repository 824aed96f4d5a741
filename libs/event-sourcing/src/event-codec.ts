import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';
import type { DomainEvent } from './decider.ts';
import { erased, type EventMetadata, type RequestOrigin } from './journal-entry.ts';
import type { AnyStreamType, EventStorage } from './stream-type.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { OfNewerVersion } from './unreadable.ts';

/** Stands in stored data for the personal fields: their names, and their values unless the subject was erased. */
interface Personal {
  readonly fields: readonly string[];
  readonly sealed?: string;
}
const personalField = '$personal';

type Data = Record<string, unknown>;

/** Data as it is stored: personal fields encrypted. The subject's key must be at hand. */
export function encodeData(
  type: AnyStreamType,
  stream: string,
  event: DomainEvent,
  metadata: EventMetadata,
  keys: SubjectKeys,
): Data {
  const data = event.data as Data;
  const fields = storageOf(type, event.type).personal?.filter((field) => data[field] !== undefined) ?? [];
  if (fields.length === 0) return data;
  const kept: Data = { ...data };
  for (const field of fields) delete kept[field];
  const key = keys.present(metadata.subject);
  const personal: Personal =
    key === 'erased'
      ? { fields }
      : {
          fields,
          sealed: sealValue(
            key,
            fields.map((field) => data[field]),
            bound(stream, event.type),
          ),
        };
  kept[personalField] = personal;
  return kept;
}

/** The event as it can be kept: what is personal about a subject that was erased is erased before anyone sees it. */
export function keepable(
  type: AnyStreamType,
  event: DomainEvent,
  metadata: EventMetadata,
  keys: SubjectKeys,
): DomainEvent {
  const fields = storageOf(type, event.type).personal;
  if (fields === undefined || keys.present(metadata.subject) !== 'erased') return event;
  const data = { ...event.data } as Data;
  for (const field of fields) if (data[field] !== undefined) data[field] = erased;
  return { ...event, data };
}

/**
 * Data as it is read: decrypted, in the current shape. The subject's key must be at hand.
 *
 * @throws OfNewerVersion when a newer version wrote it; Error when it is damaged
 */
export function decodeData(
  storage: EventStorage,
  stored: { stream: string; type: string; schemaVersion: number; data: Data; metadata: EventMetadata },
  keys: SubjectKeys,
): Data {
  if (stored.schemaVersion > storage.version)
    throw new OfNewerVersion(
      `Its data have version ${stored.schemaVersion}; ${storage.version} is the newest known here.`,
    );
  let data = stored.data;
  const personal = data[personalField] as Personal | undefined;
  if (personal !== undefined) data = withPersonal(data, personal, stored, keys);
  for (let version = stored.schemaVersion; version < storage.version; version += 1) {
    const upcast = storage.upcasters?.[version];
    if (upcast === undefined) throw new Error(`The event "${stored.type}" has no upcaster from version ${version}.`);
    data = upcast(data);
  }
  return data;
}

/** Subject whose key is needed to read the data; undefined: none. */
export function subjectOf(data: Data, metadata: Pick<EventMetadata, 'subject'>): string | undefined {
  const personal = data[personalField] as Personal | undefined;
  return personal?.sealed === undefined ? undefined : metadata.subject;
}

function withPersonal(
  data: Data,
  { fields, sealed }: Personal,
  { stream, type, metadata }: { stream: string; type: string; metadata: EventMetadata },
  keys: SubjectKeys,
): Data {
  const { [personalField]: _, ...whole } = data;
  const key = sealed === undefined ? 'erased' : keys.readable(metadata.subject);
  if (key === 'erased' || sealed === undefined) {
    for (const field of fields) whole[field] = erased;
    return whole;
  }
  const values = openValue(key, sealed, bound(stream, type)) as unknown[];
  fields.forEach((field, index) => (whole[field] = values[index]));
  return whole;
}

const bound = (stream: string, type: string): string => `${stream} ${type}`;

/** Metadata as they are stored: the origin of the request encrypted with the key of whoever made it. */
export interface StoredMetadata extends Omit<EventMetadata, 'audit'> {
  readonly audit?: Omit<NonNullable<EventMetadata['audit']>, 'origin'> & { readonly origin?: string };
}

/** Subject whose key is needed to write or read the mark; undefined: none. */
export const subjectOfMark = ({ audit }: EventMetadata | StoredMetadata): string | undefined =>
  audit?.origin === undefined ? undefined : audit.subject;

const boundTo = (id: string): string => `audit ${id}`;

/** Metadata as they can be kept: nothing of the origin when its subject was erased. The key must be at hand. */
export function keepableMark(metadata: EventMetadata, keys: SubjectKeys): EventMetadata {
  const subject = subjectOfMark(metadata);
  if (metadata.audit === undefined || subject === undefined || keys.present(subject) !== 'erased') return metadata;
  const { origin: _, ...mark } = metadata.audit;
  return { ...metadata, audit: mark };
}

/** The key must be at hand. */
export function sealMark(metadata: EventMetadata, keys: SubjectKeys): StoredMetadata {
  const { audit } = metadata;
  if (audit === undefined) return metadata as StoredMetadata;
  const { origin, ...mark } = audit;
  const subject = subjectOfMark(metadata);
  const key = subject === undefined ? 'erased' : keys.present(subject);
  if (key === 'erased') return { ...metadata, audit: mark };
  return { ...metadata, audit: { ...mark, origin: sealValue(key, origin, boundTo(audit.id)) } };
}

/** The keys must be at hand. */
export function openMark(metadata: StoredMetadata, keys: SubjectKeys): EventMetadata {
  const { audit, ...others } = metadata;
  if (audit?.origin === undefined) return metadata as EventMetadata;
  const { origin, ...mark } = audit;
  const key = keys.readable(audit.subject ?? '');
  if (key === 'erased') return { ...others, audit: mark };
  return { ...others, audit: { ...mark, origin: openValue(key, origin, boundTo(audit.id)) as RequestOrigin } };
}

/** Finds how the events of a stream are stored by its name. */
export interface StreamCatalogue {
  /** undefined: no stream type is registered for it */
  typeOf(stream: string): AnyStreamType | undefined;
  /** How a stored event is kept. @throws OfNewerVersion when neither the stream nor the event is known */
  storageOf(stream: string, type: string): EventStorage;
}

const uuidLength = 36;

export function streamCatalogue(types: readonly AnyStreamType[]): StreamCatalogue {
  const byName = new Map<string, AnyStreamType>();
  for (const type of types) {
    if (byName.has(type.name)) throw new Error(`Two stream types are called "${type.name}".`);
    byName.set(type.name, type);
  }
  const typeOf = (stream: string): AnyStreamType | undefined => {
    const withUuid = byName.get(stream.slice(0, -uuidLength - 1));
    if (withUuid !== undefined) return withUuid;
    for (let dash = stream.lastIndexOf('-'); dash > 0; dash = stream.lastIndexOf('-', dash - 1)) {
      const type = byName.get(stream.slice(0, dash));
      if (type !== undefined) return type;
    }
    return undefined;
  };
  return {
    typeOf,
    storageOf: (stream, type) => {
      const streamType = typeOf(stream);
      if (streamType === undefined)
        throw new OfNewerVersion(
          `The journal holds the stream "${stream}", but no stream type of that name is registered.`,
        );
      return storageOf(streamType, type);
    },
  };
}

/** @throws OfNewerVersion when the stream type does not know the event */
export function storageOf(streamType: AnyStreamType, type: string): EventStorage {
  const storage = streamType.events[type];
  if (storage === undefined)
    throw new OfNewerVersion(`The stream type "${streamType.name}" does not say how the event "${type}" is stored.`);
  return storage;
}

/** Whether any event of the stream type holds personal data. */
export const holdsPersonalData = (streamType: AnyStreamType): boolean =>
  Object.values(streamType.events).some((storage) => (storage.personal?.length ?? 0) > 0);

const nonceLength = 12;
const tagLength = 16;
const nonces = Buffer.alloc(nonceLength * 512);
let nonceAt = nonces.length;

/** Random bytes are drawn in bulk: one call for each nonce costs as much as the encryption. */
function nextNonce(): Buffer {
  if (nonceAt === nonces.length) {
    randomFillSync(nonces);
    nonceAt = 0;
  }
  nonceAt += nonceLength;
  return Buffer.from(nonces.subarray(nonceAt - nonceLength, nonceAt));
}

/**
 * Encrypts a JSON value with a subject's key (AES-256-GCM).
 *
 * @param bound what it belongs to, for example the stream and the event's type; `openValue` must be told the same
 * @returns base64 of nonce, tag and text
 */
export function sealValue(key: KeyObject, value: unknown, bound: string): string {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
  const text = cipher.update(JSON.stringify(value), 'utf8');
  cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

/** @throws Error when it was changed or belongs to something else */
export function openValue(key: KeyObject, sealed: string, bound: string): unknown {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
  const text = decipher.update(bytes.subarray(nonceLength + tagLength));
  decipher.final();
  return JSON.parse(text.toString('utf8'));
}
