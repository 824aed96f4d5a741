import type { SqlMigration } from '@messaging-gateway/service';

/** The trace of a delivery, when it is recorded: an attempt may follow days later, in another process. */
export const traceContextMigration: SqlMigration = {
  name: '0002-trace-context',
  sql: 'ALTER TABLE {schema}.event_log ADD COLUMN traceparent text;',
};
