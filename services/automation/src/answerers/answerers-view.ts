import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { answererStream, type AnswererEvent, type AnswererKind } from './answerer.ts';

/** An answerer as it is read. A deleted one has an id, and no definition. */
export const AnswererEntity = defineEntity({
  name: 'AnswererEntity',
  tableName: 'answerers',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    profileId: p.uuid().nullable(),
    kind: p.text().$type<AnswererKind>(),
    name: p.text(),
    enabled: p.boolean(),
    priority: p.integer(),
    /** JSON, in the order in which it was written. */
    definition: p.text(),
    deleted: p.boolean(),
    version: p.integer(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
export type AnswererRecord = InferEntity<typeof AnswererEntity>;

/** Answerers as they stand. A deleted one keeps an empty row: a statement that inserts cannot delete. */
export const answerersView = view({
  name: 'answerers',
  tables: ['answerers'],
  of: answererStream,
  on: ['AnswererSaved', 'AnswererDeleted'],
  rows: (events) => events.map(rowOf),
  sql: `
    INSERT INTO {schema}.answerers AS a (id, organization_id, profile_id, kind, name, enabled, priority, definition, deleted,
                                         version, created_at, updated_at, changed_at)
    SELECT DISTINCT ON (given.id) given.id, given.organization_id, given.profile_id, coalesce(given.kind, ''), given.name,
           given.enabled, given.priority, given.definition, given.deleted, given.version, given.at, given.at, clock_timestamp()
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             id uuid, organization_id uuid, profile_id uuid, kind text, name text, enabled boolean, priority int,
             definition text, deleted boolean, version int, at timestamptz)
     ORDER BY given.id, rows.ordinal DESC
    ON CONFLICT (id) DO UPDATE SET
      profile_id = coalesce(excluded.profile_id, a.profile_id), name = excluded.name, enabled = excluded.enabled,
      priority = excluded.priority, definition = excluded.definition, deleted = excluded.deleted,
      version = excluded.version, updated_at = excluded.updated_at, changed_at = excluded.changed_at`,
});

function rowOf({ type, data, metadata: { organizationId } }: RecordedAs<AnswererEvent>): object {
  const { answererId: id, version, at } = data;
  const whose = { id, organization_id: organizationId, version, at };
  if (type === 'AnswererDeleted') return { ...whose, enabled: false, priority: 0, deleted: true };
  const { kind, profileId: profile_id, name, enabled, priority, definition } = data;
  // As a text: the database would put the fields in another order.
  return {
    ...whose,
    kind,
    profile_id,
    name,
    enabled,
    priority,
    definition: JSON.stringify(definition),
    deleted: false,
  };
}
