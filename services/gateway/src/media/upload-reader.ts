import { mediaLimits, type Caller, type Operation } from '@messaging-gateway/contracts';
import { keptFilename, type MediaStore } from '@messaging-gateway/media';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { RequestHandler } from 'express';
import { v7 } from 'uuid';
import { tooLarge } from '../http/body.ts';
import { stateOf } from '../http/request-state.ts';
import type { MediaQuota } from './media-quota.ts';
import { RequestMedia } from './request-media.ts';
import { uploadedFile } from './uploaded-file.ts';

export interface MediaParts {
  readonly media: MediaStore;
  readonly quota: MediaQuota;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Beside the file a body has boundaries and headers. */
const mostBytes = mediaLimits.document + 65_536;

/** Streams the file of a route with `upload` into the media store; the body is then what its contract says. */
export function uploadReader(
  operation: Operation,
  field: string,
  { media, quota, clock, log }: MediaParts,
): RequestHandler {
  return async (request, response, next) => {
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > mostBytes) throw tooLarge();
    const state = stateOf(response);
    const { organizationId } = state.caller as Caller;
    const put = new RequestMedia(media, quota, log);
    const stored = await uploadedFile(request, field, {
      store: async ({ stream, filename: given, mimetype }) => {
        const filename = keptFilename(given);
        const id = v7({ msecs: clock.now() });
        return { ...(await put.put(organizationId, id, stream, { filename, mimetype }, length)), filename };
      },
      drop: () => put.drop(),
    });
    state.media = put;
    // A repeat is stored under another key, and is the same request all the same.
    state.fingerprint = { [field]: { ...stored, key: operation.name } };
    request.body = { [field]: stored };
    next();
  };
}
