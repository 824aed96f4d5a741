import type { SqlMigration } from '@messaging-gateway/service';

/** Chats in which the other person has written to the profile. `conversation_id` is derived from profile and JID. */
export const knownChats: SqlMigration = {
  name: '20261128010000-known-chats',
  sql: `
    create table {schema}.known_chats (
      conversation_id uuid primary key,
      profile_id uuid not null,
      organization_id uuid not null
    );
    create index known_chats_by_profile on {schema}.known_chats (profile_id);
    create index known_chats_by_organization on {schema}.known_chats (organization_id);`,
};
