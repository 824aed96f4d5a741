import { erased, view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { suppressionStream, type SuppressionEvent } from './suppression.ts';

/** An entry of the list, by the names of a person that are known. One that was lifted has an id, and nothing else. */
export const SuppressionEntity = defineEntity({
  name: 'SuppressionEntity',
  tableName: 'suppressions',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    phoneDigest: p.text().nullable(),
    lidDigest: p.text().nullable(),
    phone: p.text().nullable(),
    reason: p.text().nullable(),
    lifted: p.boolean(),
    createdAt: p.datetime(3),
  },
});
export type SuppressionRecord = InferEntity<typeof SuppressionEntity>;

/**
 * The list as it stands. Who was taken off it keeps an empty row: a statement that inserts cannot delete. Of several rows
 * of one entry the last has the last word.
 */
export const suppressionsView = view({
  name: 'suppressions',
  tables: ['suppressions'],
  joins: true,
  of: suppressionStream,
  on: ['Suppressed', 'SuppressionLifted'],
  rows: (events) => events.map((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.suppressions (id, organization_id, phone_digest, lid_digest, phone, reason, lifted, created_at)
    SELECT DISTINCT ON (given.id) given.id, given.organization_id, given.phone_digest, given.lid_digest, given.phone,
           given.reason, given.lifted, given.since
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             id uuid, organization_id uuid, phone_digest text, lid_digest text, phone text, reason text, lifted boolean,
             since timestamptz)
     ORDER BY given.id, rows.ordinal DESC
    ON CONFLICT (id) DO UPDATE SET
      phone_digest = excluded.phone_digest, lid_digest = excluded.lid_digest, phone = excluded.phone,
      reason = excluded.reason, lifted = excluded.lifted, created_at = excluded.created_at`,
});

type Wanted = Extract<SuppressionEvent, { type: 'Suppressed' | 'SuppressionLifted' }>;

function rowOf({ type, data, metadata, at }: RecordedAs<Wanted>): object {
  const gone = {
    id: data.suppressionId,
    organization_id: metadata.organizationId,
    lifted: true,
    since: at.toISOString(),
  };
  if (type === 'SuppressionLifted') return gone;
  const { phone, phoneDigest: phone_digest, lidDigest: lid_digest, reason, since } = data;
  if (phone_digest === erased || lid_digest === erased) return gone;
  return { ...gone, phone, phone_digest, lid_digest, reason, since, lifted: false };
}
