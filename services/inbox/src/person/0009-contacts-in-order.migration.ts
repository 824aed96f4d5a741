import type { SqlMigration } from '@messaging-gateway/service';

/** The contacts of a profile, or of the whole organization, in the order in which an audience is read. */
export const contactsInOrder: SqlMigration = {
  name: '0009-contacts-in-order',
  sql: 'CREATE INDEX CONCURRENTLY contacts_in_order_index ON {schema}.contacts (organization_id, profile_id, id) WHERE NOT deleted',
};
