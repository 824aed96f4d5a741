import type { CommandEnvelope } from '@messaging-gateway/contracts';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Pool } from 'pg';
import type { CommandQueue } from '../commands.ts';
import { CommandConsumer } from './command-consumer.ts';
import { CommandTable } from './command-table.ts';
import { QueueLock } from './queue-lock.ts';

export interface PostgresCommandQueueOptions {
  /** One of its connections is kept for the locks. */
  readonly pool: Pool;
  readonly schema: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Keys of one queue at the same time, at most. Default 64. */
  readonly concurrency?: number;
}

interface Waiting {
  readonly owner: string;
  readonly command: CommandEnvelope;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The command queue of standalone mode: a table, and one process at a time that consumes each queue.
 * Commands sent at the same time are stored together.
 */
export function postgresCommandQueue(options: PostgresCommandQueueOptions): CommandQueue & { close(): Promise<void> } {
  const { pool, schema, clock, log, concurrency = 64 } = options;
  const table = new CommandTable(pool, schema);
  const lock = new QueueLock(pool);
  const consumers = new Map<string, CommandConsumer>();
  let waiting: Waiting[] = [];
  let storing = false;

  const store = async (): Promise<void> => {
    storing = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, 200);
      try {
        await table.add(batch);
        for (const { stored } of batch) stored();
        for (const queue of new Set(batch.map(({ owner, command }) => `${owner} ${command.name}`)))
          consumers.get(queue)?.wake();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    storing = false;
  };

  return {
    send: (owner, command) =>
      new Promise((stored, failed) => {
        waiting.push({ owner, command, stored, failed });
        if (!storing) void store();
      }),
    handle: async (owner, name, handler, retry) => {
      const queue = `${owner} ${name}`;
      if (consumers.has(queue)) throw new Error(`${name} of ${owner} has a handler already.`);
      const consumer = new CommandConsumer({ owner, name, handler, retry, table, lock, clock, log, concurrency });
      consumers.set(queue, consumer);
      return async () => {
        consumers.delete(queue);
        await consumer.stop();
      };
    },
    close: async () => {
      await Promise.all([...consumers.values()].map((consumer) => consumer.stop()));
      await lock.close();
    },
  };
}
