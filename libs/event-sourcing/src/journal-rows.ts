import { Unavailable } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import type { JournalPlace } from './journal-entry.ts';
import type { JournalLine } from './journal-line.ts';
import { inSchema } from './journal-migration.ts';
import { columnsOf, placeOf } from './place-columns.ts';
import { isReadable, nothingSettled, settledBelow, type Settled } from './settled-below.ts';
import { storedColumns } from './stored-rows.ts';
import type { StoredRow } from './stored-rows.ts';

/** So long an entry is held back before strangers' transactions are looked for, milliseconds. */
const strangeMs = 100;

/** A row of `after`: of an entry, or only of where the journal stands when there is none. */
type AfterRow = { readonly present: number; readonly beyond: boolean; readonly lagging: boolean } & (
  | (StoredRow & { readonly readable: boolean })
  | { readonly stream: null }
);

/** The rows of a journal in their order, as far as they can be read. */
export interface JournalRows {
  /** @throws Unavailable when the place is none of this line: the journal goes on in another one now */
  after(after: JournalPlace | undefined, limit: number): Promise<StoredRow[]>;
  end(): Promise<JournalPlace | undefined>;
  /** The answer of `settledBelow`, as far as it is known. */
  readonly settled: Settled;
}

interface JournalRowsOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly line: JournalLine;
  /** Told at each read whether entries were there that cannot be read yet. */
  readonly heldBack: (any: boolean) => void;
}

export function journalRows({ pool, schema, line, heldBack: tellHeldBack }: JournalRowsOptions): JournalRows {
  let settled = nothingSettled;
  const stuck = stuckFor();
  const text = inSchema(
    `SELECT j.generation AS present, $1::int > j.generation OR $1::int = j.generation AND $2::text::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) AS beyond,
            j.generation = $5 AND pg_snapshot_xmin(pg_current_snapshot()) < $6::text::xid8 AS lagging,
            ${storedColumns('e')},
            ${isReadable('$5', '$6')} AS readable
       FROM {schema}.journal j LEFT JOIN LATERAL (
         SELECT ${storedColumns('n')} FROM {schema}.events n
          WHERE (n.generation, n.transaction_id, n.position) > ($1::int, $2::text::xid8, $3::bigint)
          ORDER BY n.generation, n.transaction_id, n.position LIMIT $4) e ON true
      ORDER BY e.generation, e.transaction_id, e.position`,
    schema,
  );
  const endText = inSchema(
    `SELECT e.generation, e.transaction_id, e.position FROM {schema}.events e CROSS JOIN {schema}.journal j
      WHERE ${isReadable('$1', '$2')}
      ORDER BY e.generation DESC, e.transaction_id DESC, e.position DESC LIMIT 1`,
    schema,
  );
  const rowsAfter = async (after: JournalPlace | undefined, limit: number): Promise<StoredRow[]> => {
    const values = [...columnsOf(after), limit, settled.generation, String(settled.below)];
    const { rows } = await pool.query<AfterRow>({ name: 'journal_after', text, values });
    const [first] = rows;
    if (first?.beyond === true) {
      await line.wentBack(first.present, after?.generation ?? 0);
      throw new Unavailable('The journal went back behind what was read of it: it goes on in another generation.');
    }
    if (first !== undefined) line.note(first.present);
    const found = rows.filter((row) => row.stream !== null);
    const heldBack = found.findIndex((row) => !row.readable);
    tellHeldBack(heldBack !== -1);
    if (heldBack !== -1 && (first?.lagging === true || stuck(found[0], heldBack === 0))) {
      const { below } = settled;
      settled = await settledBelow(pool, schema);
      if (settled.below > below) return rowsAfter(after, limit);
    }
    return heldBack === -1 ? found : found.slice(0, heldBack);
  };
  const end = async (): Promise<JournalPlace | undefined> => {
    const { generation, below } = await settledBelow(pool, schema);
    const values = [generation, String(below)];
    const { rows } = await pool.query<StoredRow>({ name: 'journal_end', text: endText, values });
    return rows[0] && placeOf(rows[0]);
  };
  return {
    after: async (after, limit) => {
      const rows = await rowsAfter(after, limit);
      const last = rows.at(-1);
      if (last?.generation === line.generation) line.seen(BigInt(last.transaction_id));
      return rows;
    },
    end,
    get settled() {
      return settled;
    },
  };
}

/** Whether the entry that would come next has been held back for long. */
function stuckFor(): (next: StoredRow | undefined, isHeldBack: boolean) => boolean {
  let held: { readonly transaction: string; readonly since: number } | undefined;
  return (next, isHeldBack) => {
    if (next === undefined || !isHeldBack) return false;
    if (held?.transaction !== next.transaction_id)
      held = { transaction: next.transaction_id, since: performance.now() };
    return performance.now() - held.since > strangeMs;
  };
}
