import { silentLogger } from '@messaging-gateway/runtime';
import { openPool } from '../pool.ts';
import type { Host } from '../ports.ts';
import { DividedEvents, type Division } from './divided-events.ts';

export interface ReplicaHosts {
  readonly hosts: readonly Host[];
  readonly close: () => Promise<void>;
}

/** Hosts for replicas of one service: operations go to each in turn, events are divided, all else is shared. */
export function replicaHosts(host: Host, schema: string, count: number, division: Division): ReplicaHosts {
  const { databaseUrl: url } = host;
  const session = `-c search_path=${schema}`;
  const pool = openPool({ url, session, connections: 2, name: 'group', log: silentLogger });
  const events = new DividedEvents(host.ports.events, { schema, pool }, division).bus;
  const listeners: ((id: string) => void)[] = [];
  const hosts = Array.from({ length: count }, (): Host => ({
    ...host,
    ports: { ...host.ports, events },
    handledElsewhere: {
      tell: (id) => {
        for (const listener of listeners) listener(id);
      },
      onHeard: (listener) => void listeners.push(listener),
    },
  }));
  return { hosts, close: () => pool.end() };
}
