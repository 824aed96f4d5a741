import type { SqlMigration } from '@messaging-gateway/service';

/** Few deliveries are in somebody's hands: they are found without reading all that wait. */
export const claimedDeliveries: SqlMigration = {
  name: '0004-claimed-deliveries',
  sql: 'CREATE INDEX CONCURRENTLY outstanding_claimed_index ON {schema}.outstanding (claimed_by) WHERE claimed_by IS NOT NULL',
};
