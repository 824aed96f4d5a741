import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { contactStream, type ContactEvent } from './contact.ts';

/**
 * Contacts as they stand. A deleted one keeps an empty row: a statement that inserts cannot delete. Of several rows of
 * one contact the last has the last word.
 */
export const contactsView = view({
  name: 'contacts',
  tables: ['contacts', 'contact_counts'],
  joins: true,
  of: contactStream,
  on: ['ContactSaved', 'ContactDeleted'],
  rows: (events) => events.map((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.contacts (id, organization_id, profile_id, phone, lid, name, push_name, tags, metadata, blocked,
                                   deleted, created_at, updated_at, previous_phone)
    SELECT DISTINCT ON (given.id) given.id, given.organization_id, given.profile_id, given.phone, given.lid, given.name,
           given.push_name, coalesce(given.tags, '{}'), coalesce(given.metadata, '{}'), coalesce(given.blocked, false),
           given.deleted, given.at, given.at, max(given.previous_phone) OVER (PARTITION BY given.id)
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             id uuid, organization_id uuid, profile_id uuid, phone text, lid text, name text, push_name text,
             tags text[], metadata jsonb, blocked boolean, deleted boolean, at timestamptz, previous_phone text)
     ORDER BY given.id, rows.ordinal DESC
    ON CONFLICT (id) DO UPDATE SET
      phone = excluded.phone, lid = excluded.lid, name = excluded.name, push_name = excluded.push_name,
      tags = excluded.tags, metadata = excluded.metadata, blocked = excluded.blocked, deleted = excluded.deleted,
      created_at = CASE WHEN contacts.deleted THEN excluded.created_at ELSE contacts.created_at END,
      updated_at = excluded.updated_at,
      previous_phone = CASE WHEN NOT excluded.deleted THEN coalesce(excluded.previous_phone, contacts.previous_phone) END`,
});

function rowOf({ type, data, metadata: about, at }: RecordedAs<ContactEvent>): object {
  const { contactId: id, profileId: profile_id } = data;
  const whose = { organization_id: about.organizationId, at: at.toISOString(), id, profile_id };
  if (type === 'ContactDeleted') return { ...whose, deleted: true };
  const { phone, lid, name, pushName: push_name, tags, metadata, blocked, previousPhone: previous_phone } = data;
  const erased = { tags: asList(tags), metadata: asObject(metadata) };
  return { ...whose, phone, lid, name, push_name, blocked, previous_phone, deleted: false, ...erased };
}

/** Tags as a list: erased ones come as a text. */
const asList = (tags: unknown): unknown => (Array.isArray(tags) ? tags : []);
const asObject = (metadata: unknown): unknown => (typeof metadata === 'object' ? metadata : {});
