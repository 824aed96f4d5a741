import type { EventStore } from '@messaging-gateway/event-sourcing';
import { v7 } from 'uuid';
import { profileStream } from '../profiles/profile.ts';

/**
 * Wants a profile disconnected on behalf of the operator. The link stays. A process that holds it compares what it does with what is
 * wanted every minute, and lets go of it when it has seen the difference twice.
 *
 * @param at ISO 8601
 * @throws Refused NOT_FOUND
 */
export async function wantDisconnected(
  store: Pick<EventStore, 'handle'>,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  at: string,
): Promise<void> {
  const metadata = { organizationId, profileId: id, subject: `organization:${organizationId}`, actor: 'operator' };
  const audit = { id: v7(), action: 'profile.disconnect', resourceId: id };
  await store.handle(profileStream, id, { type: 'UnwantConnection', at }, { metadata: { ...metadata, audit } });
}
