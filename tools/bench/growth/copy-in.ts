import { once } from 'node:events';
import type { Client } from 'pg';
import { from } from 'pg-copy-streams';
import { render, type Copy } from './pattern.ts';
import type { RowPattern } from './copies.ts';

interface Batch {
  readonly table: string;
  readonly columns: readonly string[];
  text: string;
}

/** Gathers copies of rows by table. */
export class Gathered {
  #batches = new Map<string, Batch>();

  add(rows: readonly RowPattern[], copy: Copy): void {
    for (const { table, columns, line } of rows) {
      let batch = this.#batches.get(table);
      if (batch === undefined) this.#batches.set(table, (batch = { table, columns, text: '' }));
      batch.text += render(line, copy);
    }
  }

  /** Takes what has gathered, by schema. */
  take(): Map<string, Batch[]> {
    const bySchema = Map.groupBy(this.#batches.values(), ({ table }) => table.slice(0, table.indexOf('.')));
    this.#batches = new Map();
    return bySchema;
  }
}

/** Writes batches one after the other, each table in a transaction of its own. */
export async function copyIn(client: Client, batches: readonly Batch[]): Promise<void> {
  for (const { table, columns, text } of batches) {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const stream = client.query(from(`COPY ${table} (${names}) FROM STDIN`));
    const done = once(stream, 'finish');
    stream.end(text);
    await done;
  }
}
