import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { templateStream } from './template-stream.ts';
import type { TemplateCategory, TemplateEvent } from './template.ts';
import type { SendableType } from '@messaging-gateway/contracts';

/** A template as it is read for an answer. A deleted one has an id, and nothing else. */
export const TemplateEntity = defineEntity({
  name: 'TemplateEntity',
  tableName: 'templates',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    profileId: p.uuid().nullable(),
    name: p.text(),
    category: p.text().$type<TemplateCategory>(),
    messageType: p.text().$type<SendableType>(),
    /** JSON as it was written. */
    content: p.text(),
    deleted: p.boolean(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Accepted messages. */
    uses: p
      .float()
      .formula(
        (_, { alias }) =>
          `(SELECT coalesce(max(u.uses), 0)::float8 FROM template_usage u WHERE u.template_id = ${alias}.id)`,
      ),
  },
});
export type TemplateRecord = InferEntity<typeof TemplateEntity>;

/** Templates as they stand. A deleted one keeps an empty row: a statement that inserts cannot delete. */
export const templatesView = view({
  name: 'templates',
  tables: ['templates'],
  of: templateStream,
  on: ['TemplateCreated', 'TemplateChanged', 'TemplateDeleted'],
  rows: (events) => events.map(rowOf),
  sql: `
    INSERT INTO {schema}.templates AS t (id, organization_id, profile_id, name, category, message_type, content, deleted,
                                         created_at, updated_at)
    SELECT DISTINCT ON (given.id) given.id, given.organization_id, given.profile_id, given.name, given.category,
           given.message_type, given.content, given.deleted, given.at, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             id uuid, organization_id uuid, profile_id uuid, name text, category text, message_type text, content text,
             deleted boolean, at timestamptz)
     ORDER BY given.id, rows.ordinal DESC
    ON CONFLICT (id) DO UPDATE SET
      profile_id = excluded.profile_id, name = excluded.name, category = excluded.category,
      message_type = excluded.message_type, content = excluded.content, deleted = excluded.deleted,
      updated_at = excluded.updated_at`,
});

function rowOf({ type, data, metadata: { organizationId } }: RecordedAs<TemplateEvent>): object {
  const whose = { id: data.templateId, organization_id: organizationId, at: data.at };
  if (type === 'TemplateDeleted') return { ...whose, deleted: true };
  const { profileId: profile_id, name, category, messageType: message_type, content } = data;
  // As a text: the database would put the fields in another order.
  const written = JSON.stringify(content);
  return { ...whose, profile_id, name, category, message_type, content: written, deleted: false };
}
