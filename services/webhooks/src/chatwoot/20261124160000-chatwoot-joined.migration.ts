import type { SqlMigration } from '@messaging-gateway/service';

/** `chatwoot_lanes.joined_into`: the conversation that one of ours turned out to be; what is told of this one is for that one. */
export const chatwootJoinedMigration: SqlMigration = {
  name: '20261124160000-chatwoot-joined',
  sql: `alter table {schema}.chatwoot_lanes add column joined_into uuid;`,
};
