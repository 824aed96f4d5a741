import type { Pool } from 'pg';
import { inSchema } from './journal-migration.ts';
import { jsonText } from './append-statement.ts';
import type { UntypedStreamType } from './stream-type.ts';
import type { KnownState } from './stream-type.ts';
import { holdsPersonalData, openValue, sealValue } from './event-codec.ts';
import type { SubjectKeys } from './subject-keys.ts';

/** States of long streams, kept so that a load need not begin at their first event. Losing one loses speed only. */
export interface Snapshots {
  /** Snapshots that can be read; one of another version, or of an erased subject, counts as absent. */
  read(
    streams: readonly { readonly stream: string; readonly type: UntypedStreamType }[],
  ): Promise<Map<string, KnownState>>;
  /** Keeps a state unless a newer one, or one of a newer version of its shape, is kept, or one of its subjects was erased. */
  write(stream: string, type: UntypedStreamType, known: KnownState, subject: string): Promise<void>;
}

type StoredState = { readonly plain: unknown } | { readonly sealed: string; readonly subject: string };

interface SnapshotRow {
  readonly stream: string;
  readonly version: number;
  readonly snapshot_version: number;
  readonly subjects: readonly string[];
  readonly state: StoredState;
}

export function snapshots(pool: Pool, schema: string, keys: SubjectKeys): Snapshots {
  const readText = inSchema(
    'SELECT stream, version, snapshot_version, subjects, state FROM {schema}.snapshots WHERE stream = ANY($1)',
    schema,
  );
  // Of two versions side by side the newer one's stays, unless it has not gone on for long: then nobody writes it any more.
  // The share lock makes an erasure wait, so that it finds and deletes this snapshot.
  const writeText = inSchema(
    `WITH alive AS MATERIALIZED (
       SELECT subject, erased_at FROM {schema}.subject_keys WHERE subject = ANY($4::text[]) ORDER BY subject FOR SHARE)
     INSERT INTO {schema}.snapshots (stream, version, snapshot_version, subjects, state)
     SELECT $1, $2, $3, $4::text[], $5::jsonb WHERE NOT EXISTS (SELECT FROM alive WHERE erased_at IS NOT NULL)
     ON CONFLICT (stream) DO UPDATE
       SET version = excluded.version, snapshot_version = excluded.snapshot_version,
           subjects = excluded.subjects, state = excluded.state
     WHERE (excluded.snapshot_version, excluded.version) > (snapshots.snapshot_version, snapshots.version)
        OR excluded.version > snapshots.version + $6::int`,
    schema,
  );
  return {
    read: async (streams) => {
      const found = new Map<string, KnownState>();
      if (streams.length === 0) return found;
      const { rows } = await pool.query<SnapshotRow>({
        name: 'read_snapshots',
        text: readText,
        values: [streams.map((one) => one.stream)],
      });
      const types = new Map(streams.map((one) => [one.stream, one.type]));
      const current = rows.filter((row) => row.snapshot_version === (types.get(row.stream)?.snapshotVersion ?? 1));
      await keys.ensure(
        current.flatMap(({ state }) => ('subject' in state ? [state.subject] : [])),
        false,
      );
      for (const { stream, version, subjects, state } of current) {
        const opened = open(stream, state, keys);
        if (opened !== undefined) found.set(stream, { state: opened.plain, version, subjects: new Set(subjects) });
      }
      return found;
    },
    write: async (stream, type, known, subject) => {
      const state = close(stream, type, known.state, subject, keys);
      if (state === undefined) return;
      const values = [
        stream,
        known.version,
        type.snapshotVersion ?? 1,
        [...known.subjects],
        jsonText(state),
        2 * (type.snapshotEvery ?? 0),
      ];
      await pool.query({ name: 'write_snapshot', text: writeText, values });
    },
  };
}

/** Opens a snapshot; one that cannot be opened counts as absent: the events say whether the stream can be read. */
function open(stream: string, state: StoredState, keys: SubjectKeys): { plain: unknown } | undefined {
  if ('plain' in state) return state;
  try {
    const key = keys.readable(state.subject);
    return key === 'erased' ? undefined : { plain: openValue(key, state.sealed, `snapshot ${stream}`) };
  } catch {
    return undefined;
  }
}

function close(
  stream: string,
  type: UntypedStreamType,
  state: unknown,
  subject: string,
  keys: SubjectKeys,
): StoredState | undefined {
  if (!holdsPersonalData(type)) return { plain: state };
  const key = keys.readable(subject);
  return key === 'erased' ? undefined : { sealed: sealValue(key, state, `snapshot ${stream}`), subject };
}
