import type { ContactUpdated, DataOf, EventEnvelope } from '@messaging-gateway/contracts';
import { causedBy } from '../metadata.ts';
import { entriesOf, type SuppressionTools } from './suppressing.ts';
import { suppressionStream } from './suppression.ts';

/**
 * Takes in news of people on the list: that a phone and a LID are one person's, so that both are kept from now on; and
 * that a contact was deleted, so that the phone is shown no more. The digests stay.
 */
export async function hearOfContact(
  { sql, store, keys }: SuppressionTools,
  event: EventEnvelope<DataOf<typeof ContactUpdated>>,
): Promise<void> {
  const { change, mergedInto, phone = null, lid = null } = event.data;
  const isForgotten = change === 'deleted' && mergedInto === undefined && (phone ?? lid) !== null;
  if (!isForgotten && (change === 'deleted' || phone === null || lid === null)) return;
  const digests = await keys.find(event.organizationId);
  if (digests === undefined) return;
  const names = digests.namesOf({ phone, lid });
  const entries = await entriesOf(sql, event.organizationId, [names]);
  const options = { metadata: causedBy(event) };
  if (isForgotten) {
    for (const { id } of entries)
      await store.handle(suppressionStream, id, { type: 'Forget', suppressionId: id }, options);
    return;
  }
  const [first, ...others] = entries;
  if (first === undefined) return;
  await store.handle(suppressionStream, first.id, { type: 'Learn', suppressionId: first.id, names }, options);
  for (const { id } of others) await store.handle(suppressionStream, id, { type: 'Lift', suppressionId: id }, options);
}
