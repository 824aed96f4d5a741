import type { Caller } from '@messaging-gateway/contracts';
import type { EventMetadata } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { actorOf, assertProfileAllowed, type RequestContext } from '@messaging-gateway/service';
import type { LaneRecord, LaneRecords } from '../gate/lane-records.ts';

/** The profile that something is asked for. @throws Refused NOT_FOUND, FORBIDDEN */
export async function openProfile(lanes: LaneRecords, profileId: string, caller: Caller): Promise<LaneRecord> {
  assertProfileAllowed(caller, profileId);
  const record = await lanes.find(profileId);
  if (record === undefined || record.closed || record.organizationId !== caller.organizationId)
    throw new Refused('NOT_FOUND', 'There is no such profile.');
  return record;
}

/** Metadata of a caller's change of a profile's schedules and batches. */
export const callerMetadata = (
  caller: Caller,
  profileId: string,
  { requestId }: Pick<RequestContext, 'requestId'>,
): EventMetadata & { readonly actor: string } => ({
  organizationId: caller.organizationId,
  profileId,
  subject: `organization:${caller.organizationId}`,
  actor: actorOf(caller),
  requestId,
});
