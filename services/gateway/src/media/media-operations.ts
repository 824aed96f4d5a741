import {
  GetMedia,
  RecordAction,
  UploadMedia,
  auditOf,
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
import { v7 } from 'uuid';

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

type Entry = BodyOf<typeof RecordAction>['entry'];

/**
 * Has an upload in the audit before it is answered. A request that comes again under its Idempotency-Key is the same entry.
 *
 * @throws Refused `SERVICE_UNAVAILABLE` when the audit does not take it in: nobody learns of the file, which is tidied away
 */
async function recordUpload(bus: OperationBus, request: OperationRequest, uploadId: string): Promise<void> {
  const { caller, requestId, deadline, traceparent } = request;
  const spec = auditOf(UploadMedia);
  if (spec === undefined || caller === undefined) return;
  const { ip, userAgent, resourceId } = request;
  const { organizationId, userId, apiKeyId } = caller;
  const entry: Entry = {
    id: resourceId,
    action: spec.action,
    actor: apiKeyId === undefined ? { type: 'user', id: userId } : { type: 'api_key', id: apiKeyId },
    userId,
    resource: { type: 'media', id: uploadId },
    ...(ip !== undefined && { ip }),
    ...(userAgent !== undefined && { userAgent }),
  };
  await bus.request(RecordAction.name, {
    requestId,
    resourceId: v7(),
    params: {},
    query: {},
    body: { organizationId, requestId, entry },
    deadline,
    ...(traceparent !== undefined && { traceparent }),
  });
}
