import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { invalid } from '@messaging-gateway/messaging';
import { actorOf, type OperationInput } from '@messaging-gateway/service';

type Asked = Pick<OperationInput<unknown>, 'caller' | 'context'>;

/** Metadata for events about a contact: the organization's data, under its key. */
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

const mostMetadataBytes = 16 * 1024;

/** As deep as any JSON may be that comes to the gateway: a cell of a CSV file has not been looked at there. */
const deepest = 100;

/** A sentence on what is wrong with metadata, or nothing. */
export function metadataFault(metadata: object | undefined): string | undefined {
  if (metadata === undefined) return undefined;
  if (isDeeper(metadata, deepest)) return `must be nested at most ${deepest} levels`;
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  return bytes > mostMetadataBytes ? `must hold at most ${mostMetadataBytes / 1024} KiB` : undefined;
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));

/** @throws Refused VALIDATION_ERROR */
export function assertMetadata(metadata: object | undefined): void {
  const message = metadataFault(metadata);
  if (message !== undefined) throw invalid([{ path: 'body.metadata', message }]);
}
