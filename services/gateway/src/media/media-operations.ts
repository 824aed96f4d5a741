import {
  GetMedia,
  UploadMedia,
  mediaUrl,
  placeOfMedia,
  type BodyOf,
  type Caller,
  type OperationReply,
  type OperationRequest,
} from '@messaging-gateway/contracts';
import { kindOf } from '@messaging-gateway/media';
import { Refused, type OperationBus, type OperationHandler } from '@messaging-gateway/messaging';
import { assertProfileAllowed } from '@messaging-gateway/service';
import { recordUpload } from './record-upload.ts';

/** The gateway's own operations on media, by name. */
export const mediaOperations = (bus: OperationBus): ReadonlyMap<string, OperationHandler> =>
  new Map<string, OperationHandler>([
    [GetMedia.name, getMedia],
    [UploadMedia.name, (request) => uploadMedia(bus, request)],
  ]);

async function getMedia({ caller, params }: OperationRequest): Promise<OperationReply> {
  const key = [params['organizationId'], params['place'], params['id']].join('/');
  const place = placeOfMedia(key);
  const asking = caller as Caller;
  if (place?.organizationId !== asking.organizationId) throw new Refused('NOT_FOUND', 'There are no such media.');
  if (place.profileId !== undefined) assertProfileAllowed(asking, place.profileId);
  return { status: 200, body: { key } };
}

async function uploadMedia(bus: OperationBus, request: OperationRequest): Promise<OperationReply> {
  const { file } = request.body as BodyOf<typeof UploadMedia>;
  const { key, size, filename = null, mimetype } = file;
  const id = key.slice(key.lastIndexOf('/') + 1);
  await recordUpload(bus, request, id);
  const type = kindOf(mimetype);
  return { status: 201, body: { id, url: mediaUrl(key), key, size, filename, mimeType: mimetype, type } };
}
