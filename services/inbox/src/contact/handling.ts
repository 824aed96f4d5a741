import type { Caller } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { OperationInput } from '@messaging-gateway/service';

type Asked = Pick<OperationInput<unknown>, 'caller' | 'context'>;

/** Who did it, for events about a contact: the organization's data, under its key. */
export function metadataOf({ caller, context }: Asked, profileId: string | null | undefined): EventMetadata {
  const { organizationId } = caller;
  return {
    organizationId,
    subject: `organization:${organizationId}`,
    actor: actorOf(caller),
    requestId: context.requestId,
    ...(typeof profileId === 'string' && { profileId }),
    ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
  };
}

const actorOf = ({ apiKeyId, userId }: Caller): string =>
  apiKeyId === undefined ? `user:${userId}` : `api_key:${apiKeyId}`;

const mostMetadataBytes = 16 * 1024;

/** A sentence on what is wrong with metadata, or nothing. */
export const metadataFault = (metadata: object | undefined): string | undefined =>
  metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > mostMetadataBytes
    ? `must hold at most ${mostMetadataBytes / 1024} KiB`
    : undefined;

/** @throws Refused VALIDATION_ERROR */
export function assertMetadata(metadata: object | undefined): void {
  const message = metadataFault(metadata);
  if (message !== undefined)
    throw new Refused('VALIDATION_ERROR', `body.metadata ${message}.`, [{ path: 'body.metadata', message }]);
}
