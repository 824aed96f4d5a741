import {
  GetMedia,
  UploadMedia,
  mediaUrl,
  placeOfMedia,
  type BodyOf,
  type Caller,
  type OperationRequest,
} from '@messaging-gateway/contracts';
import { kindOf } from '@messaging-gateway/media';
import { Refused, type OperationHandler } from '@messaging-gateway/messaging';
import { assertProfileAllowed } from '@messaging-gateway/service';

/** The gateway's own operations on media, by name. */
export const mediaOperations: ReadonlyMap<string, OperationHandler> = new Map<string, OperationHandler>([
  [
    GetMedia.name,
    async ({ caller, params }) => {
      const key = [params['organizationId'], params['place'], params['id']].join('/');
      const place = placeOfMedia(key);
      const asking = caller as Caller;
      if (place?.organizationId !== asking.organizationId) throw new Refused('NOT_FOUND', 'There are no such media.');
      if (place.profileId !== undefined) assertProfileAllowed(asking, place.profileId);
      return { status: 200, body: { key } };
    },
  ],
  [
    UploadMedia.name,
    async ({ body }: OperationRequest) => {
      const { file } = body as BodyOf<typeof UploadMedia>;
      const { key, size, filename = null, mimetype } = file;
      const id = key.split('/').at(-1);
      const type = kindOf(mimetype);
      return { status: 201, body: { id, url: mediaUrl(key), key, size, filename, mimeType: mimetype, type } };
    },
  ],
]);
