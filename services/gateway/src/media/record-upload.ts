import { RecordAction, UploadMedia, auditOf, type BodyOf, type OperationRequest } from '@messaging-gateway/contracts';
import type { OperationBus } from '@messaging-gateway/messaging';
import { v7 } from 'uuid';

type Entry = BodyOf<typeof RecordAction>['entry'];

/**
 * Has an upload in the audit before it is answered. A request that comes again under its Idempotency-Key is the same entry.
 *
 * @throws Refused `SERVICE_UNAVAILABLE` when the audit does not take it in: nobody learns of the file, which is tidied away
 */
export async function recordUpload(bus: OperationBus, request: OperationRequest, uploadId: string): Promise<void> {
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
