import type { EventMetadata, RequestOrigin } from './journal-entry.ts';
import { openValue, sealValue } from './subject-cipher.ts';
import type { SubjectKeys } from './subject-keys.ts';

/** Metadata as they are stored: the origin of the request encrypted with the key of whoever made it. */
export interface StoredMetadata extends Omit<EventMetadata, 'audit'> {
  readonly audit?: Omit<NonNullable<EventMetadata['audit']>, 'origin'> & { readonly origin?: string };
}

/** Whose key is needed to write or read the mark; undefined: none. */
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
