import { databaseError } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import type { EventStore } from './event-store.ts';
import { inSchema } from './journal-migration.ts';
import type { StateLoader } from './load-states.ts';
import type { StateCache } from './state-cache.ts';
import { entriesOf, storedColumns } from './stored-rows.ts';
import type { StoredRow } from './stored-rows.ts';
import type { StreamCatalogue } from './stream-catalogue.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { allReadable } from './unreadable.ts';

interface StoredStreamsOptions {
  readonly pool: Pool;
  readonly schema: string;
  readonly loader: StateLoader;
  readonly cache: StateCache;
  readonly keys: SubjectKeys;
  readonly catalogue: StreamCatalogue;
}

const readText = `SELECT ${storedColumns('e')} FROM {schema}.events e WHERE e.stream = $1 AND e.version > $2 ORDER BY e.version`;

export const streamName = (type: string, id: string): string => `${type}-${id}`;

/** Questions about single streams. */
export function storedStreams({
  pool,
  schema,
  loader,
  cache,
  keys,
  catalogue,
}: StoredStreamsOptions): Pick<EventStore, 'load' | 'read'> {
  return {
    load: async (type, id) => {
      const stream = streamName(type.name, id);
      await keys.notice();
      const known = cache.get(stream);
      const [loaded] = await loader.load([{ stream, type, known }]);
      // Unless it was written or loaded meanwhile.
      const isPresent = cache.get(stream) === known;
      if (loaded === undefined || loaded.version === 0) {
        if (isPresent) cache.drop(stream);
        return { state: type.decider.initial, version: 0 };
      }
      if (isPresent && known?.appendId !== loaded.appendId) cache.set(stream, loaded);
      return { state: loaded.state as typeof type.decider.initial, version: loaded.version };
    },
    read: async (type, id, afterVersion = 0) => {
      try {
        await keys.notice();
        const values = [streamName(type.name, id), afterVersion];
        const { rows } = await pool.query<StoredRow>({ name: 'read_stream', text: inSchema(readText, schema), values });
        return allReadable(await entriesOf(rows, catalogue, keys));
      } catch (error) {
        throw databaseError(error);
      }
    },
  };
}
