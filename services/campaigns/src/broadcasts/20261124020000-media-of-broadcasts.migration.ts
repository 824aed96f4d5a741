import type { SqlMigration } from '@messaging-gateway/service';

/** Media that are kept for broadcasts. `released_at`: since when none holds them; `used`: it has started with them. */
export const mediaOfBroadcasts: SqlMigration = {
  name: '20261124020000-media-of-broadcasts',
  sql: `
    create table {schema}.broadcast_media (
      key text not null primary key,
      organization_id uuid not null,
      broadcast_id uuid not null,
      used boolean not null default false,
      released_at timestamptz
    );
    create index broadcast_media_by_broadcast on {schema}.broadcast_media (broadcast_id);
    create index broadcast_media_by_organization on {schema}.broadcast_media (organization_id);
    create index broadcast_media_released on {schema}.broadcast_media (released_at) where released_at is not null;`,
};
