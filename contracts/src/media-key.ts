/** Where an object of the media store belongs to. */
export interface MediaPlace {
  readonly organizationId: string;
  /** Absent: uploaded for the whole organization, or held by a template or a broadcast. */
  readonly profileId?: string;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const keyForm = new RegExp(`^(${uuid})/(uploads|templates|${uuid})/${uuid}$`);
const urlPath = '/api/v1/media/';

/** A key of the media store: `<organizationId>/<profileId, or "uploads">/<uuid>`. @param id UUID, never used twice */
export const mediaKey = ({ organizationId, profileId }: MediaPlace, id: string): string =>
  `${organizationId}/${profileId ?? 'uploads'}/${id}`;

/** A key for what a template or a broadcast holds: not tidied away, as uploads are. @param id UUID, never used twice */
export const templateMediaKey = (organizationId: string, id: string): string => `${organizationId}/templates/${id}`;

/** To whom a key belongs; undefined for what is not a key. */
export function placeOfMedia(key: string): MediaPlace | undefined {
  const [, organizationId, owner] = keyForm.exec(key) ?? [];
  if (organizationId === undefined) return undefined;
  return owner === 'uploads' || owner === 'templates' || owner === undefined
    ? { organizationId }
    : { organizationId, profileId: owner };
}

/** The stable URL of an object, without the host: the gateway is reached by many names. */
export const mediaUrl = (key: string): string => urlPath + key;

/** The key in a URL of `mediaUrl`; undefined for any other URL, also for the same path of another host. */
export function keyOfMediaUrl(url: string): string | undefined {
  if (!url.startsWith(urlPath)) return undefined;
  const key = url.slice(urlPath.length).replace(/[?#].*$/s, '');
  return placeOfMedia(key) === undefined ? undefined : key;
}
