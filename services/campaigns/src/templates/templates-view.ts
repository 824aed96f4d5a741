import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { templateStream } from './template-stream.ts';
import type { TemplateEvent } from './template.ts';

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
