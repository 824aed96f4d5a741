import type { SqlMigration } from '@messaging-gateway/service';

/** Reactions and deletions: they wait for no delay and take no place in the day's limit. */
export const changesOfMessages: SqlMigration = {
  name: '20260301000000-changes-of-messages',
  sql: 'alter table {schema}.queue add column is_change boolean not null default false;',
};
