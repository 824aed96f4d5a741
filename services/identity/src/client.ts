import type { RequestContext } from '@messaging-gateway/service';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';

/** Where a request came from: kept with what it changed, for the audit. Personal data. */
export interface Client {
  readonly ipAddress?: string;
  readonly userAgent?: string;
}

const longestUserAgent = 512;

export function clientOf(context: RequestContext): Client {
  return {
    ...(context.ip !== undefined && { ipAddress: context.ip }),
    ...(context.userAgent !== undefined && { userAgent: context.userAgent.slice(0, longestUserAgent) }),
  };
}

/** Metadata of events that lie under the key of a person. */
export function aboutUser(
  userId: string,
  organizationId: string,
  context: RequestContext,
  actor = `user:${userId}`,
): EventMetadata {
  return { organizationId, subject: `user:${userId}`, actor, ...traceOf(context) };
}

/** Metadata of events that lie under the key of an organization. */
export function aboutOrganization(organizationId: string, context: RequestContext, actor: string): EventMetadata {
  return { organizationId, subject: `organization:${organizationId}`, actor, ...traceOf(context) };
}

function traceOf(context: RequestContext): Pick<EventMetadata, 'requestId' | 'traceparent'> {
  return {
    requestId: context.requestId,
    ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
  };
}
