import {
  keyOfMediaUrl,
  mediaLimits,
  placeOfMedia,
  type Caller,
  type MediaKind,
  type MediaSourceOf,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { resolvedTargetFault } from '@messaging-gateway/target-guard';
import { fits } from '../kinds.ts';
import type { MediaStore } from '../store.ts';

/** Where a client says that media come from. The gateway has put base64 into the store: the field holds its key. */
export interface GivenMedia {
  readonly url?: string;
  readonly base64?: string;
}

interface MediaAt {
  readonly caller: Pick<Caller, 'organizationId' | 'profileIds'>;
  /** Of the object that holds `url` or `base64`, for example `body`. */
  readonly path: string;
}

/**
 * Reads where media come from: checked before anything is accepted, and again when they are fetched.
 *
 * @throws Refused VALIDATION_ERROR naming the field, MEDIA_UNAVAILABLE, PAYLOAD_TOO_LARGE
 */
export type ReadGivenMedia = (given: GivenMedia, kind: MediaKind, at: MediaAt) => Promise<MediaSourceOf>;

export function givenMedia({
  media,
  allowPrivate,
}: {
  media: Pick<MediaStore, 'facts'>;
  allowPrivate: boolean;
}): ReadGivenMedia {
  /** Media that were uploaded before, or came in. */
  const stored = async (key: string, kind: MediaKind, { caller, path }: MediaAt): Promise<MediaSourceOf> => {
    if (!isOf(caller, key)) throw invalidField(path, 'names no media of the organization');
    const facts = await media.facts(key);
    if (facts === undefined) throw refused('MEDIA_UNAVAILABLE', path, 'names media that are not stored here any more');
    const format = kind === 'image' ? undisplayable[facts.mimetype] : undefined;
    if (format !== undefined)
      throw refused('MEDIA_UNAVAILABLE', path, `is ${format}, which phones do not display: send it as a document`);
    if (!fits(facts.mimetype, kind)) throw invalidField(path, `is media of another kind: ${facts.mimetype}`);
    if (facts.size > mediaLimits[kind])
      throw refused('PAYLOAD_TOO_LARGE', path, `names media that are larger than ${mediaLimits[kind] / mebibyte} MiB`);
    return { key };
  };

  return async ({ url, base64 }, kind, at) => {
    if (base64 !== undefined && url !== undefined) throw invalidField(`${at.path}.url`, 'cannot stand beside base64');
    // In a union of kinds the gateway has taken what fits any of them.
    if (base64 !== undefined) return stored(base64, kind, { ...at, path: `${at.path}.base64` });
    const path = `${at.path}.url`;
    if (url === undefined) throw invalidField(path, 'is required, or base64');
    const key = keyOfMediaUrl(url);
    if (key !== undefined) return stored(key, kind, { ...at, path });
    const fault = await resolvedTargetFault(url, { allowPrivate });
    if (fault !== undefined) throw invalidField(path, fault);
    return { url };
  };
}

/** Image formats that phones do not display and that no converter of the gateway reads, by media type. */
const undisplayable: Readonly<Record<string, string>> = {
  'image/heic': 'HEIC',
  'image/heic-sequence': 'HEIC',
  'image/heif': 'HEIF',
  'image/heif-sequence': 'HEIF',
};
const mebibyte = 1_048_576;

const refused = (code: 'MEDIA_UNAVAILABLE' | 'PAYLOAD_TOO_LARGE', path: string, message: string): Refused =>
  new Refused(code, `${path} ${message}.`, [{ path, message }]);

/** Uploads are the organization's; what lies under a profile is closed to keys of other profiles. */
function isOf({ organizationId, profileIds }: MediaAt['caller'], key: string): boolean {
  const place = placeOfMedia(key);
  if (place?.organizationId !== organizationId) return false;
  return place.profileId === undefined || profileIds === undefined || profileIds.includes(place.profileId);
}

const invalidField = (path: string, message: string): Refused => invalid([{ path, message }]);
