import type { SqlMigration } from '@messaging-gateway/service';

/** The network's second address of a profile, by which messages in groups mention it. */
export const profileLid: SqlMigration = {
  name: '20261128203000-profile-lid',
  sql: 'ALTER TABLE {schema}.profiles ADD COLUMN lid text;',
};
