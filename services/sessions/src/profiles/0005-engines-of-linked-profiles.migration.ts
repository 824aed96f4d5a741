import type { SqlMigration } from '@messaging-gateway/service';

/** A profile keeps its engine: those that were ever connected had the only one that there was. */
export const enginesOfLinked: SqlMigration = {
  name: '0005-engines-of-linked-profiles',
  sql: `
    UPDATE {schema}.profiles SET engine = 'socket-engine' WHERE engine IS NULL AND last_connected_at IS NOT NULL;`,
};
