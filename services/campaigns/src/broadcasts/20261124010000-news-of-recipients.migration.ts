import type { SqlMigration } from '@messaging-gateway/service';

/**
 * What is told of somebody before it is known what became of the message: `answers`, when they wrote; `blocked`, that they get
 * nothing should it come back.
 */
export const newsOfRecipients: SqlMigration = {
  name: '20261124010000-news-of-recipients',
  sql: `
    alter table {schema}.audience add column answers timestamptz[], add column blocked boolean not null default false;`,
};
