import type { SqlMigration } from '@messaging-gateway/service';

/** The trace that a queued message belongs to, when it is recorded: its turn may come in another process. */
export const traceContext: SqlMigration = {
  name: '20260102000000-trace-context',
  sql: 'alter table {schema}.queue add column traceparent text;',
};
