import type { SqlMigration } from '@messaging-gateway/service';

/**
 * News of a recipient that come before the outcome of the message: `answers`, times at which the person wrote;
 * `blocked`, that the person gets nothing should the message come back.
 */
export const newsOfRecipients: SqlMigration = {
  name: '20261124010000-news-of-recipients',
  sql: `
    alter table {schema}.audience add column answers timestamptz[], add column blocked boolean not null default false;`,
};
