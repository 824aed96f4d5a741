import type { Pool, PoolClient } from 'pg';
import { rowsOf } from './decide-group.ts';
import type { InlineView } from './view.ts';
import type { JournalEntry, JournalPlace, ReadEntry, UnreadableEntry } from './journal-entry.ts';
import { inSchema } from './journal-migration.ts';
import { jsonText } from './append-statement.ts';
import { isReadable, nothingSettled, settledBelow } from './settled-below.ts';
import { entriesOf, storedColumns } from './stored-rows.ts';
import type { StoredRow } from './stored-rows.ts';
import type { StreamCatalogue } from './event-codec.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { allReadable, isDamaged } from './unreadable.ts';

/** A portion of the journal in whole transactions. */
export interface Portion {
  readonly entries: readonly JournalEntry[];
  /** The events of each command, in the journal's order. */
  readonly commands: readonly (readonly JournalEntry[])[];
  /** Damaged entries, which are left out. */
  readonly damaged: readonly UnreadableEntry[];
  readonly end: JournalPlace | undefined;
  /** Whether the end of what can be read was reached. */
  readonly last: boolean;
}

export interface ReplaySource {
  readonly schema: string;
  readonly catalogue: StreamCatalogue;
  readonly keys: SubjectKeys;
}

/**
 * Reads the next portion.
 *
 * Goes as far as nobody who writes to the journal can come in before any more.
 *
 * @param all also what stands behind open transactions: only while nothing can be appended
 * @throws Unavailable when an entry needs a newer version of the program
 */
export async function readPortion(
  database: Pool | PoolClient,
  { schema, catalogue, keys }: ReplaySource,
  after: JournalPlace | undefined,
  limit: number,
  all = false,
): Promise<Portion> {
  const { generation, below } = all ? nothingSettled : await settledBelow(database, schema);
  const readable = all ? 'true' : isReadable(String(generation), `'${below}'`);
  const select = `SELECT ${storedColumns('e')} FROM {schema}.events e CROSS JOIN {schema}.journal j WHERE (${readable})`;
  const order = 'ORDER BY e.generation, e.transaction_id, e.position';
  const values = [after?.generation ?? 0, String(after?.transactionId ?? 0), String(after?.position ?? 0)];
  const { rows } = await database.query<StoredRow>(
    inSchema(
      `${select} AND (e.generation, e.transaction_id, e.position) > ($1::int, $2::text::xid8, $3::bigint) ${order} LIMIT $4`,
      schema,
    ),
    [...values, limit],
  );
  const end = rows.at(-1);
  const last = rows.length < limit;
  if (end !== undefined && !last) {
    const rest = await database.query<StoredRow>(
      inSchema(
        `${select} AND e.generation = $1 AND e.transaction_id = $2::text::xid8 AND e.position > $3::bigint ${order}`,
        schema,
      ),
      [end.generation, end.transaction_id, end.position],
    );
    rows.push(...rest.rows);
  }
  const read = await entriesOf(rows, catalogue, keys);
  const entries = allReadable(read.filter((entry) => !isDamaged(entry)));
  const stop = read.at(-1)?.place ?? after;
  return { entries, commands: commandsOf(rows, read), damaged: read.filter(isDamaged), end: stop, last };
}

/** The first events of a statement's commands stand before the rest: brought together by their append id. */
function commandsOf(rows: readonly StoredRow[], read: readonly ReadEntry[]): JournalEntry[][] {
  const commands = new Map<string, JournalEntry[]>();
  rows.forEach((row, index) => {
    const entry = read[index];
    if (entry === undefined || entry.unreadable !== undefined) return;
    const key = `${row.stream} ${row.append_id}`;
    const command = commands.get(key) ?? [];
    if (command.length === 0) commands.set(key, command);
    command.push(entry);
  });
  return [...commands.values()];
}

/** Writes a portion into inline views, in statements like those of the appends. */
export async function replayInline(
  client: PoolClient,
  views: readonly InlineView[],
  place: (sql: string) => string,
  { commands }: Portion,
): Promise<void> {
  const text = place(replayStatement(views));
  const joined = views.every((view) => view.joins === true);
  let rows: object[][] = views.map(() => []);
  let streams = new Map<string, number>();
  const write = async (): Promise<void> => {
    if (rows.some((some) => some.length > 0))
      await client.query(
        text,
        rows.map((some) => jsonText(some)),
      );
    rows = views.map(() => []);
    streams = new Map();
  };
  for (const command of commands) {
    const more = rowsOf(views, command);
    const stream = command[0]?.stream ?? '';
    if (more.every((some) => some.length === 0)) continue;
    if (streams.size >= 256 || (!joined && streams.has(stream))) await write();
    const number = streams.get(stream) ?? streams.size;
    streams.set(stream, number);
    more.forEach((some, view) => {
      const given = rows[view] as object[];
      for (const row of some) given.push({ command: number, ordinal: given.length, row });
    });
  }
  await write();
}

function replayStatement(views: readonly InlineView[]): string {
  const steps = views.flatMap((view, index) => [
    `view_${index}_rows AS MATERIALIZED (
       SELECT * FROM jsonb_to_recordset($${index + 1}::jsonb) AS x(command int, ordinal int, row jsonb))`,
    `view_${index} AS (${view.sql.replaceAll('{rows}', `view_${index}_rows`)})`,
  ]);
  return `WITH ${steps.join(',\n')} SELECT 1`;
}
