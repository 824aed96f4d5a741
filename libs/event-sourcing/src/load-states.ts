import { databaseError } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { inSchema } from './journal-migration.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { KnownState, UntypedStreamType } from './stream-type.ts';
import type { StreamCatalogue } from './event-codec.ts';
import { entriesOf, storedColumns } from './stored-rows.ts';
import type { StoredRow } from './stored-rows.ts';
import type { Snapshots } from './snapshots.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { allReadable } from './unreadable.ts';

interface StreamToLoad {
  readonly stream: string;
  readonly type: UntypedStreamType;
  /** State up to which events are known: only later ones are read. */
  readonly known: KnownState | undefined;
}

export interface StateLoader {
  /** States of streams as they are now, in one or two statements. @throws Unavailable */
  load(streams: readonly StreamToLoad[]): Promise<KnownState[]>;
  /** Which of these `once` keys have been used. @throws Unavailable */
  usedKeys(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

interface StateLoaderOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly catalogue: StreamCatalogue;
  readonly keys: SubjectKeys;
  readonly snapshots: Snapshots;
}

export function stateLoader({ pool, schema, catalogue, keys, snapshots }: StateLoaderOptions): StateLoader {
  // The last event that is known comes again, without its data: it says whether the stream is still the same.
  const eventsText = inSchema(
    `SELECT ${storedColumns('e').replace('e.data', `CASE WHEN e.version > x.v THEN e.data END AS data`)}
       FROM unnest($1::text[], $2::int[]) AS x(s, v)
      CROSS JOIN LATERAL (SELECT ${storedColumns('n')} FROM {schema}.events n WHERE n.stream = x.s AND n.version >= x.v ORDER BY n.version) e`,
    schema,
  );
  const rowsAfter = async (known: ReadonlyMap<string, KnownState>): Promise<Map<string, StoredRow[]>> => {
    const values = [[...known.keys()], [...known.values()].map(({ version }) => version)];
    const { rows } = await pool.query<StoredRow>({ name: 'load_states', text: eventsText, values });
    return Map.groupBy(rows, ({ stream }) => stream);
  };
  /** The states with what came after them; without the streams that are no longer as they were known. */
  const goOn = async (known: ReadonlyMap<string, KnownState>, types: ReadonlyMap<string, UntypedStreamType>) => {
    const found = await rowsAfter(known);
    const states = new Map<string, KnownState>();
    for (const [stream, state] of known) {
      const rows = found.get(stream) ?? [];
      const fresh = state.version === 0 ? rows : rows.slice(1);
      if (state.version > 0 && !isLastOf(state, rows[0])) continue;
      const entries = allReadable(await entriesOf(fresh, catalogue, keys));
      states.set(stream, { ...evolved(state, entries, types.get(stream)), ...lastOf(rows) });
    }
    return states;
  };
  return {
    load: async (todo) => {
      try {
        const types = new Map(todo.map((one) => [one.stream, one.type]));
        const snapshotted = await snapshots.read(
          todo.filter((one) => one.known === undefined && one.type.snapshotEvery !== undefined),
        );
        const known = new Map(
          todo.map(({ stream, type, known: kept }) => [stream, kept ?? snapshotted.get(stream) ?? initialOf(type)]),
        );
        const states = await goOn(known, types);
        const changed = todo.filter(({ stream }) => !states.has(stream));
        if (changed.length > 0) {
          const anew = new Map(changed.map(({ stream, type }) => [stream, initialOf(type)]));
          for (const [stream, state] of await goOn(anew, types)) states.set(stream, state);
        }
        return todo.map((one) => states.get(one.stream) as KnownState);
      } catch (error) {
        throw databaseError(error);
      }
    },
    usedKeys: async (wanted) => {
      if (wanted.length === 0) return new Set();
      try {
        const { rows } = await pool.query<{ key: string }>({
          name: 'used_keys',
          text: inSchema('SELECT key FROM {schema}.once WHERE key = ANY($1)', schema),
          values: [wanted],
        });
        return new Set(rows.map((row) => row.key));
      } catch (error) {
        throw databaseError(error);
      }
    },
  };
}

const initialOf = ({ decider }: UntypedStreamType): KnownState => ({
  state: decider.initial,
  version: 0,
  subjects: new Set(),
});

/** A snapshot does not know the append of its last event: that one was written before it. */
const isLastOf = ({ version, appendId }: KnownState, row: StoredRow | undefined): boolean =>
  row?.version === version && (appendId === undefined || appendId === row.append_id);

/** The state after further events; whose append it ends with is not told. */
function evolved(
  known: KnownState,
  entries: readonly JournalEntry[],
  type: UntypedStreamType | undefined,
): Omit<KnownState, 'appendId'> {
  let { state, version, subjects } = known;
  for (const entry of entries) {
    state = type?.decider.evolve(state, { type: entry.type, data: entry.data });
    version = entry.version;
    if (!subjects.has(entry.metadata.subject)) subjects = new Set([...subjects, entry.metadata.subject]);
  }
  return { state, version, subjects };
}

function lastOf(rows: readonly StoredRow[]): Pick<KnownState, 'appendId'> {
  const last = rows.at(-1);
  return last === undefined ? {} : { appendId: last.append_id };
}
