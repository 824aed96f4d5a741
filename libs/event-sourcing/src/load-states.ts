import { databaseError } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import { inSchema } from './journal-migration.ts';
import type { UntypedStreamType } from './pending-command.ts';
import type { KnownState } from './state-cache.ts';
import type { StreamCatalogue } from './stream-catalogue.ts';
import { entriesOf, storedColumns } from './stored-rows.ts';
import type { StoredRow } from './stored-rows.ts';
import type { Snapshots } from './snapshots.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { allReadable } from './unreadable.ts';

export interface StreamToLoad {
  readonly stream: string;
  readonly type: UntypedStreamType;
  /** Only what came after this is read. */
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
  const eventsText = inSchema(
    `SELECT ${storedColumns('e')} FROM unnest($1::text[], $2::int[]) AS x(s, v)
      CROSS JOIN LATERAL (SELECT * FROM {schema}.events e WHERE e.stream = x.s AND e.version > x.v ORDER BY e.version) e`,
    schema,
  );
  const rowsAfter = async (streams: readonly string[], versions: readonly number[]): Promise<StoredRow[]> => {
    const { rows } = await pool.query<StoredRow>({
      name: 'load_states',
      text: eventsText,
      values: [streams, versions],
    });
    return rows;
  };
  return {
    load: async (todo) => {
      try {
        const states = new Map<string, KnownState>();
        const snapshotted = await snapshots.read(
          todo.filter((one) => one.known === undefined && one.type.snapshotEvery !== undefined),
        );
        for (const { stream, type, known } of todo) {
          states.set(
            stream,
            known ?? snapshotted.get(stream) ?? { state: type.decider.initial, version: 0, subjects: new Set() },
          );
        }
        const streams = [...states.keys()];
        const types = new Map(todo.map((one) => [one.stream, one.type]));
        const rows = await rowsAfter(
          streams,
          streams.map((stream) => states.get(stream)?.version ?? 0),
        );
        for (const { stream, version, type, data, metadata } of allReadable(await entriesOf(rows, catalogue, keys))) {
          const { state, subjects } = states.get(stream) as KnownState;
          const next = types.get(stream)?.decider.evolve(state, { type, data });
          const all = subjects.has(metadata.subject) ? subjects : new Set([...subjects, metadata.subject]);
          states.set(stream, { state: next, version, subjects: all });
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
