/** One step of the tables: a name that sorts by time and SQL in which `{schema}` stands for the schema. */
export interface MessagingMigration {
  readonly name: string;
  readonly sql: string;
}

const deadLetters = `
CREATE TABLE {schema}.dead_letters (
  consumer text NOT NULL,
  name text NOT NULL,
  id text NOT NULL,
  key text NOT NULL,
  organization_id text,
  reason text NOT NULL,
  envelope json NOT NULL,
  failed_at timestamptz NOT NULL DEFAULT now(),
  put_back_at timestamptz,
  PRIMARY KEY (consumer, name, id)
);
CREATE INDEX dead_letters_put_back ON {schema}.dead_letters (put_back_at) WHERE put_back_at IS NOT NULL;
`;

const relays = `
CREATE TABLE {schema}.relays (
  name text PRIMARY KEY,
  epoch bigint NOT NULL DEFAULT 0,
  held_until timestamptz,
  journal_generation integer,
  generation integer,
  transaction_id xid8,
  position bigint
);
`;

/** What every service has for its events in its own schema, beside the tables of its journal. */
export const consumerMigrations: readonly MessagingMigration[] = [
  { name: '0001-dead-letters', sql: deadLetters },
  { name: '0002-relays', sql: relays },
];

/** The schema of the command queue on PostgreSQL. */
export const commandQueueMigrations: readonly MessagingMigration[] = [
  {
    name: '0001-commands',
    sql: `
CREATE TABLE {schema}.commands (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz(3),
  last_error text,
  envelope json NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX commands_next ON {schema}.commands (owner, name, position);
${deadLetters}`,
  },
];
