import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Found } from '../finding/find.ts';
import { newProtection } from '../secured/protection.ts';
import type { Secured, Server, ServerAddress, ServerKind } from '../server.ts';

export type Change = 'kill' | 'start' | 'stop' | 'drop' | 'pause' | 'resume';

export interface Owned {
  readonly id: string;
  readonly address: ServerAddress;
  readonly secured?: Secured;
}

/** The servers of a run, and their end. */
export interface Keeper {
  /** The one that all tests share, started by the first who asks. */
  shared(kind: ServerKind): Promise<ServerAddress>;
  /** One for a single test. All secured ones of a run have the same authority, user and password. */
  own(kind: ServerKind, secured: boolean): Promise<Owned>;
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

  let protection: Secured | undefined;

  const launch = (kind: ServerKind, secured?: Secured): Promise<Server> => {
    if (closed) return Promise.reject(new Error('The run is ending.'));
    const server = firstOf(found[kind], join(folder, `${kind}-${launched.size}`), secured);
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
    own: async (kind, isSecured) => {
      const secured = isSecured ? (protection ??= newProtection()) : undefined;
      const server = await launch(kind, secured);
      const id = randomUUID();
      own.set(id, server);
      return { id, address: server.address, ...(secured && { secured }) };
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
async function firstOf(found: Found, folder: string, secured: Secured | undefined): Promise<Server> {
  let complaint = new Error(found.missing ?? 'There is no way to start a server of this kind on this machine.');
  for (const way of secured === undefined ? found.ways : found.securedWays) {
    try {
      return await way(folder, secured);
    } catch (error) {
      complaint = error instanceof Error ? error : new Error(String(error));
    }
  }
  throw complaint;
}
