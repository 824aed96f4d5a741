import type { ContactUpdated, DataOf, EventEnvelope } from '@messaging-gateway/contracts';
import { causedBy } from '../metadata.ts';
import { entriesOf, suppress, type SuppressionTools } from './suppressing.ts';
import { suppressionStream } from './suppression.ts';

/**
 * Takes changes of people on the list: a phone and a LID are one person's, so that the entry gets both; a contact was deleted, so that
 * the phone is no longer shown, while the digests stay; or a person has another number, so that the entry moves to it.
 */
export async function hearOfContact(
  tools: SuppressionTools,
  event: EventEnvelope<DataOf<typeof ContactUpdated>>,
): Promise<void> {
  const { sql, store, keys } = tools;
  const { change, mergedInto, phone = null, lid = null, previousPhone } = event.data;
  if (change === 'number' && previousPhone !== undefined && phone !== null)
    return moveEntries(tools, { previousPhone, phone, lid }, event);
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

interface NumberChange {
  readonly previousPhone: string;
  readonly phone: string;
  readonly lid: string | null;
}

/** An entry for the new number is made before the one for the number before is lifted: the person is on the list all the time. */
async function moveEntries(
  tools: SuppressionTools,
  { previousPhone, phone, lid }: NumberChange,
  event: EventEnvelope,
): Promise<void> {
  const { sql, store, keys } = tools;
  const { organizationId } = event;
  const digests = await keys.find(organizationId);
  if (digests === undefined) return;
  const options = { metadata: causedBy(event) };
  const names = digests.namesOf({ phone, lid });
  const before = await entriesOf(sql, organizationId, [digests.namesOf({ phone: previousPhone, lid })]);
  const moved = before.filter(({ phone_digest }) => phone_digest !== names.phoneDigest);
  for (const { id } of moved) {
    const { listed, saidAt } = (await store.load(suppressionStream, id)).state;
    if (listed === undefined) continue;
    const entries = await entriesOf(sql, organizationId, [digests.namesOf({ phone })]);
    const said = saidAt === undefined ? {} : { said: { at: saidAt } };
    await suppress(tools, names, entries, { reason: listed.reason, ...said, options });
    await store.handle(suppressionStream, id, { type: 'Lift', suppressionId: id }, options);
  }
}
