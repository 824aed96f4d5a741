import type { SqlMigration } from '@messaging-gateway/service';

export const aiBudgetsMigration: SqlMigration = {
  name: '20261124030000-ai-budgets',
  sql: `
    CREATE TABLE {schema}.ai_budgets (
      organization_id uuid NOT NULL,
      month date NOT NULL,
      used bigint NOT NULL,
      reserved bigint NOT NULL,
      PRIMARY KEY (organization_id, month)
    ) WITH (fillfactor = 70);
    CREATE TABLE {schema}.ai_reservations (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      month date NOT NULL,
      tokens bigint NOT NULL,
      expires_at timestamptz(3) NOT NULL
    );
    CREATE INDEX ai_reservations_by_end ON {schema}.ai_reservations (expires_at);
    CREATE INDEX ai_reservations_of_organizations ON {schema}.ai_reservations (organization_id);`,
};
