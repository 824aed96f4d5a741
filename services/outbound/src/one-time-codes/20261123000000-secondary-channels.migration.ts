import type { SqlMigration } from '@messaging-gateway/service';

/** Which profiles have ever been linked, and how many codes took a secondary channel in a day: the whole organization's under no recipient. */
export const secondaryChannels: SqlMigration = {
  name: '20261123000000-secondary-channels',
  sql: `
    create table {schema}.linked_profiles (profile_id uuid primary key);
    insert into {schema}.linked_profiles select profile_id from {schema}.lanes where handed_over_at is not null;
    create table {schema}.secondary_codes (
      organization_id uuid not null,
      day date not null,
      recipient text not null,
      count int not null,
      primary key (organization_id, day, recipient)
    );
    create index secondary_codes_by_day on {schema}.secondary_codes (day);`,
};
