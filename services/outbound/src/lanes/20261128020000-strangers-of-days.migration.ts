import type { SqlMigration } from '@messaging-gateway/service';

/** Strangers to whom a profile wrote on a day of the daily limit, each once; and messages to numbers that are not on the network. */
export const strangersOfDays: SqlMigration = {
  name: '20261128020000-strangers-of-days',
  sql: `
    create table {schema}.stranger_days (
      profile_id uuid not null,
      day date not null,
      conversation_id uuid not null,
      organization_id uuid not null,
      primary key (profile_id, day, conversation_id)
    );
    create index stranger_days_by_organization on {schema}.stranger_days (organization_id);
    create index stranger_days_by_day on {schema}.stranger_days (day);
    create table {schema}.unknown_numbers (
      profile_id uuid primary key,
      organization_id uuid not null,
      day date not null,
      count int not null
    );
    create index unknown_numbers_by_organization on {schema}.unknown_numbers (organization_id);`,
};
