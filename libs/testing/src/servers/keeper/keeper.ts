import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Found } from '../finding/find.ts';
import type { Server, ServerAddress, ServerKind } from '../server.ts';

export type Change = 'kill' | 'start' | 'stop' | 'drop' | 'pause' | 'resume';

/** The servers of a run, and their end. */
export interface Keeper {
  /** The one that all tests share, started by the first who asks. */
  shared(kind: ServerKind): Promise<ServerAddress>;
  /** One for a single test. */
  own(kind: ServerKind): Promise<{ id: string; address: ServerAddress }>;
  /** @throws Error when there is no such server */
  change(id: string, change: Change): Promise<void>;
  /** Ends all servers and removes their data. */
  close(): Promise<void>;
}

/** @param folder of the run: servers keep their data below it */
export function openKeeper(folder: string, found: Readonly<Record<ServerKind, Found>>): Keeper {
  const shared = new Map<ServerKind, Promise<ServerAddress>>();
  const launched = new Set<Promise<Server>>();
  const own = new Map<string, Server>();
  let closed = false;

  const launch = (kind: ServerKind): Promise<Server> => {
    if (closed) return Promise.reject(new Error('The run is ending.'));
    const server = firstOf(found[kind], join(folder, `${kind}-${launched.size}`));
    launched.add(server);
    return server;
  };
  const share = async (kind: ServerKind): Promise<ServerAddress> => found[kind].given ?? (await launch(kind)).address;

  return {
    shared: (kind) => {
      const known = shared.get(kind) ?? share(kind);
      shared.set(kind, known);
      return known;
    },
    own: async (kind) => {
      const server = await launch(kind);
      const id = randomUUID();
      own.set(id, server);
      return { id, address: server.address };
    },
    change: async (id, change) => {
      const server = own.get(id);
      if (server === undefined) throw new Error(`There is no server ${id}.`);
      await server[change]?.();
    },
    close: async () => {
      closed = true;
      await Promise.allSettled([...launched].map(async (launching) => (await launching).drop()));
    },
  };
}

/** The first way that works; the complaint of the last one when none does. */
async function firstOf(found: Found, folder: string): Promise<Server> {
  let complaint = new Error(found.missing ?? 'There is no way to start a server of this kind on this machine.');
  for (const way of found.ways) {
    try {
      return await way(folder);
    } catch (error) {
      complaint = error instanceof Error ? error : new Error(String(error));
    }
  }
  throw complaint;
}
