import { isMediaUrl, keyOfMediaUrl, type Caller, type Operation } from '@messaging-gateway/contracts';
import type { MediaStore } from '@messaging-gateway/media';
import type { Logger } from '@messaging-gateway/runtime';
import type { Request } from 'express';
import { markedFields, markedTexts } from './marked-fields.ts';
import type { MediaQuota } from './media-quota.ts';
import { RequestMedia } from './request-media.ts';
import { base64Fields, storeBase64 } from './store-base64.ts';

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
