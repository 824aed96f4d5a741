import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { ContactEvent } from './contact.ts';

/**
 * Contacts as they stand. A deleted one keeps an empty row: a statement that inserts cannot delete. Of several rows of
 * one contact the last has the last word.
 */
export const contactsView: InlineView = {
  name: 'contacts',
  tables: ['contacts', 'contact_counts'],
  joins: true,
  rows: (events) => events.flatMap((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.contacts (id, organization_id, profile_id, phone, lid, name, push_name, tags, metadata, blocked,
                                   deleted, created_at, updated_at)
    SELECT DISTINCT ON (given.id) given.id, given.organization_id, given.profile_id, given.phone, given.lid, given.name,
           given.push_name, coalesce(given.tags, '{}'), coalesce(given.metadata, '{}'), coalesce(given.blocked, false),
           given.deleted, given.at, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             id uuid, organization_id uuid, profile_id uuid, phone text, lid text, name text, push_name text,
             tags text[], metadata jsonb, blocked boolean, deleted boolean, at timestamptz)
     ORDER BY given.id, rows.ordinal DESC
    ON CONFLICT (id) DO UPDATE SET
      phone = excluded.phone, lid = excluded.lid, name = excluded.name, push_name = excluded.push_name,
      tags = excluded.tags, metadata = excluded.metadata, blocked = excluded.blocked, deleted = excluded.deleted,
      created_at = CASE WHEN contacts.deleted THEN excluded.created_at ELSE contacts.created_at END,
      updated_at = excluded.updated_at`,
};

function rowOf(recorded: RecordedEvent): object[] {
  const event = { type: recorded.type, data: recorded.data } as unknown as ContactEvent;
  const { metadata: about, at } = recorded;
  const whose = { organization_id: about.organizationId, at: at.toISOString() };
  switch (event.type) {
    case 'ContactSaved': {
      const { contactId: id, profileId, phone, lid, name, pushName, tags, metadata, blocked } = event.data;
      const erased = { tags: asList(tags), metadata: asObject(metadata) };
      return [
        {
          ...whose,
          id,
          profile_id: profileId,
          phone,
          lid,
          name,
          push_name: pushName,
          blocked,
          deleted: false,
          ...erased,
        },
      ];
    }
    case 'ContactDeleted':
      return [{ ...whose, id: event.data.contactId, profile_id: event.data.profileId, deleted: true }];
    default:
      return [];
  }
}

/** Tags as a list: erased ones come as a text. */
const asList = (tags: unknown): unknown => (Array.isArray(tags) ? tags : []);
const asObject = (metadata: unknown): unknown => (typeof metadata === 'object' ? metadata : {});
