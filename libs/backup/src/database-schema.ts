import { constraintStatements, indexStatements, quoted } from '@messaging-gateway/event-sourcing';
import type { Client } from 'pg';

/** The definition of a schema: statements that make it anew, and its tables. */
export interface SchemaDefinition {
  readonly schema: string;
  /** Run before the rows go in, in this order. */
  readonly before: readonly string[];
  /** Run after the rows went in. */
  readonly after: readonly string[];
  readonly tables: readonly TableToCopy[];
}

export interface TableToCopy {
  readonly schema: string;
  readonly table: string;
  /** Without generated columns. */
  readonly columns: readonly string[];
}

interface TableRow {
  readonly oid: number;
  readonly name: string;
  readonly kind: 'r' | 'p';
  readonly parent: string | null;
  readonly bound: string | null;
  readonly key: string | null;
  readonly options: readonly string[] | null;
  /** Marked by a comment: its rows are of no use in another place or at another time. */
  readonly isLeftOut: boolean;
}

/** The comment of a table whose definition is backed up, and whose rows are not. */
const leftOut = 'rows are not backed up';

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly identity: '' | 'a' | 'd';
  readonly generated: '' | 's' | 'v';
  readonly value: string | null;
  readonly collation: string | null;
}

/**
 * Reads how a schema is made, from the catalogue. Kinds of objects that the product's migrations don't use are
 * refused rather than left out.
 */
export async function schemaDefinition(client: Client, schema: string): Promise<SchemaDefinition> {
  await refuseUnknown(client, schema);
  const tables = await tablesOf(client, schema);
  const before = [
    `CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`,
    ...(await enums(client, schema)),
    ...(await functions(client, schema)),
    ...(await sequences(client, schema)),
  ];
  const after: string[] = [];
  const foreignKeys: string[] = [];
  const toCopy: TableToCopy[] = [];
  for (const table of tables) {
    const name = `${quoted(schema)}.${quoted(table.name)}`;
    const columns = await columnsOf(client, table.oid);
    before.push(tableStatement(name, table, columns));
    if (table.isLeftOut) before.push(`COMMENT ON TABLE ${name} IS '${leftOut}'`);
    if (table.kind === 'r' && !table.isLeftOut) {
      toCopy.push({
        schema,
        table: table.name,
        columns: columns.filter((column) => column.generated === '').map((column) => column.name),
      });
    }
    for (const { kind, statement } of await constraintStatements(client, table.oid, name))
      (kind === 'f' ? foreignKeys : after).push(statement);
    after.push(...(await indexStatements(client, table.oid, name)));
  }
  after.push(
    ...foreignKeys,
    ...(await views(client, schema)),
    ...(await triggers(client, schema)),
    ...(await positions(client, schema)),
  );
  return { schema, before, after, tables: toCopy };
}

/** Extensions that the database uses; the target server must have them. */
export async function extensions(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; schema: string }>(
    `SELECT e.extname AS name, n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
      WHERE e.extname <> 'plpgsql' ORDER BY e.oid`,
  );
  return rows.map(
    ({ name, schema }) => `CREATE EXTENSION IF NOT EXISTS ${quoted(name)} WITH SCHEMA ${quoted(schema)} CASCADE`,
  );
}

async function refuseUnknown(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `SELECT relkind::text || ' ' || relname AS what FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind NOT IN ('r', 'p', 'i', 'I', 'S', 'v', 't')
     UNION ALL
     SELECT 'type ' || t.typname FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
      WHERE t.typnamespace = $1::regnamespace AND t.typtype <> 'e' AND t.typcategory <> 'A' AND c.oid IS NULL
     UNION ALL
     SELECT 'inheriting table ' || c.relname FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
      WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'r' AND NOT c.relispartition`,
    [schema],
  );
  if (rows.length > 0)
    throw new Error(`A backup cannot hold these objects of ${schema}: ${rows.map((row) => row.what).join(', ')}.`);
}

async function tablesOf(client: Client, schema: string): Promise<TableRow[]> {
  const { rows } = await client.query<TableRow & { depth: number }>(
    `WITH RECURSIVE tree AS (
       SELECT c.oid, NULL::oid AS parent, 0 AS depth FROM pg_class c
        WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       UNION ALL
       SELECT h.inhrelid, h.inhparent, tree.depth + 1 FROM tree JOIN pg_inherits h ON h.inhparent = tree.oid
     )
     SELECT c.oid, c.relname AS name, c.relkind AS kind, tree.parent::regclass::text AS parent, c.reloptions AS options,
            pg_get_expr(c.relpartbound, c.oid) AS bound, CASE WHEN c.relkind = 'p' THEN pg_get_partkeydef(c.oid) END AS key,
            coalesce(obj_description(c.oid, 'pg_class') = $2, false) AS "isLeftOut"
       FROM tree JOIN pg_class c ON c.oid = tree.oid ORDER BY tree.depth, c.relname`,
    [schema, leftOut],
  );
  return rows;
}

async function columnsOf(client: Client, oid: number): Promise<ColumnRow[]> {
  const { rows } = await client.query<ColumnRow>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required, a.attidentity AS identity,
            a.attgenerated AS generated, pg_get_expr(d.adbin, d.adrelid) AS value,
            CASE WHEN a.attcollation <> t.typcollation THEN a.attcollation::regcollation::text END AS collation
       FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [oid],
  );
  return rows;
}

function tableStatement(name: string, table: TableRow, columns: readonly ColumnRow[]): string {
  const partitioning = table.key === null ? '' : ` PARTITION BY ${table.key}`;
  const options = (table.options?.length ?? 0) === 0 ? '' : ` WITH (${table.options?.join(', ')})`;
  if (table.parent !== null)
    return `CREATE TABLE ${name} PARTITION OF ${table.parent} ${table.bound}${partitioning}${options}`;
  return `CREATE TABLE ${name} (${columns.map(columnText).join(', ')})${partitioning}${options}`;
}

function columnText(column: ColumnRow): string {
  const parts = [quoted(column.name), column.type];
  if (column.collation !== null) parts.push(`COLLATE ${column.collation}`);
  if (column.identity !== '') parts.push(`GENERATED ${column.identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`);
  else if (column.generated !== '')
    parts.push(`GENERATED ALWAYS AS (${column.value}) ${column.generated === 's' ? 'STORED' : 'VIRTUAL'}`);
  else if (column.value !== null) parts.push(`DEFAULT ${column.value}`);
  if (column.required) parts.push('NOT NULL');
  return parts.join(' ');
}

const statements = async (client: Client, text: string, schema: string): Promise<string[]> =>
  (await client.query<{ statement: string }>(text, [schema])).rows.map((row) => row.statement);

const enums = (client: Client, schema: string): Promise<string[]> =>
  statements(
    client,
    `SELECT format('CREATE TYPE %s AS ENUM (%s)', t.oid::regtype, string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)) AS statement
       FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid WHERE t.typnamespace = $1::regnamespace GROUP BY t.oid ORDER BY t.oid`,
    schema,
  );

const functions = (client: Client, schema: string): Promise<string[]> =>
  statements(
    client,
    `SELECT pg_get_functiondef(p.oid) AS statement FROM pg_proc p WHERE p.pronamespace = $1::regnamespace AND p.prokind IN ('f', 'p')
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY p.oid`,
    schema,
  );

/** Sequences of their own; those of identity columns come with their column. */
const sequences = (client: Client, schema: string): Promise<string[]> =>
  statements(
    client,
    `SELECT format('CREATE SEQUENCE %s AS %s INCREMENT %s MINVALUE %s MAXVALUE %s START %s CACHE %s', c.oid::regclass,
                   s.seqtypid::regtype, s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache) AS statement
       FROM pg_class c JOIN pg_sequence s ON s.seqrelid = c.oid WHERE c.relnamespace = $1::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'i') ORDER BY c.relname`,
    schema,
  );

const views = (client: Client, schema: string): Promise<string[]> =>
  statements(
    client,
    `SELECT format('CREATE VIEW %s AS %s', c.oid::regclass, pg_get_viewdef(c.oid)) AS statement FROM pg_class c
      WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'v' ORDER BY c.oid`,
    schema,
  );

const triggers = (client: Client, schema: string): Promise<string[]> =>
  statements(
    client,
    `SELECT pg_get_triggerdef(t.oid) AS statement FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = $1::regnamespace AND NOT t.tgisinternal AND t.tgparentid = 0 ORDER BY t.oid`,
    schema,
  );

/** Sequences go on where they stood. They are ahead of the snapshot at most, which leaves gaps and nothing worse. */
async function positions(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; owner: string | null; column: string | null }>(
    `SELECT c.oid::regclass::text AS name, d.refobjid::regclass::text AS owner, a.attname AS column FROM pg_class c
       LEFT JOIN pg_depend d ON d.objid = c.oid AND d.deptype IN ('i', 'a') AND d.refobjsubid > 0
       LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
      WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'S' ORDER BY 1`,
    [schema],
  );
  const set: string[] = [];
  for (const { name, owner, column } of rows) {
    const { rows: found } = await client.query<{ last_value: string; is_called: boolean }>(
      `SELECT last_value, is_called FROM ${name}`,
    );
    const target =
      owner === null || column === null
        ? literal(name)
        : `pg_get_serial_sequence(${literal(owner)}, ${literal(column)})`;
    if (owner !== null && column !== null)
      set.push(
        `DO $$ BEGIN IF ${target} IS NULL THEN ALTER SEQUENCE ${name} OWNED BY ${owner}.${quoted(column)}; END IF; END $$`,
      );
    set.push(`SELECT setval(${target}, ${found[0]?.last_value ?? 1}, ${found[0]?.is_called ?? false})`);
  }
  return set;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
