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

/** Keys whose events do not get through for long, and those events: see `delayed-keys.ts`. */
const delayed = `
CREATE TABLE {schema}.delayed_keys (
  consumer text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  reason text,
  since timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL,
  PRIMARY KEY (consumer, name, key)
);
CREATE TABLE {schema}.delayed_events (
  consumer text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  sequence text COLLATE "C" NOT NULL,
  id text NOT NULL,
  organization_id text,
  envelope json NOT NULL,
  delayed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, name, key, sequence, id)
);
CREATE INDEX delayed_events_organization ON {schema}.delayed_events (organization_id);
`;

/** Tables of every service for its events, in its own schema, beside the tables of its journal. */
export const consumerMigrations: readonly MessagingMigration[] = [
  { name: '0001-dead-letters', sql: deadLetters },
  { name: '0002-relays', sql: relays },
  { name: '0003-delayed-events', sql: delayed },
];
