import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { CommandQueue } from '../commands.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { CommandConsumer } from './command-consumer.ts';
import { CommandSender, type KnownCommand } from './command-sender.ts';
import { PutBackCommands } from './put-back-commands.ts';

/** How long `handle` waits for its queue when the broker is there, milliseconds; later it follows by itself. */
const handleMs = 10_000;

export interface RabbitMqCommandQueueParts {
  readonly publishing: BrokerConnection;
  readonly consuming: BrokerConnection;
  readonly clock: Clock;
  readonly log: Logger;
  readonly known: readonly KnownCommand[];
  readonly maxLength: number;
  readonly sendWaitMs: number;
  readonly concurrency: number;
}

export interface RabbitMqCommandQueue extends CommandQueue {
  isOpen(): boolean;
  close(): Promise<void>;
}

/** The command queue over RabbitMQ: a quorum queue for each command, one process at a time that takes from it. */
export function rabbitMqCommandQueue(parts: RabbitMqCommandQueueParts): RabbitMqCommandQueue {
  const { publishing, consuming, clock, log, known, maxLength, sendWaitMs, concurrency } = parts;
  const sender = new CommandSender({ connection: publishing, log, known, maxLength, sendWaitMs });
  const handled = new Map<string, { readonly consumer: CommandConsumer; readonly putBack: PutBackCommands }>();

  const stop = async (queue: string): Promise<void> => {
    const one = handled.get(queue);
    handled.delete(queue);
    await one?.putBack.stop();
    await one?.consumer.stop();
  };

  const handle: CommandQueue['handle'] = async (owner, name, handler, retry) => {
    const queue = `${owner} ${name}`;
    const { home } = retry;
    if (handled.has(queue)) throw new Error(`${name} of ${owner} has a handler already.`);
    if (home === undefined) throw new Error(`${name} of ${owner} has no place for its dead letters.`);
    const connection = consuming;
    const consumer = new CommandConsumer({
      connection,
      owner,
      name,
      handler,
      retry,
      home,
      maxLength,
      concurrency,
      clock,
      log,
    });
    const send = (command: Parameters<CommandQueue['send']>[1]): Promise<void> => sender.send(owner, command);
    handled.set(queue, { consumer, putBack: new PutBackCommands({ owner, name, home, log, send }) });
    if (consuming.isConnected) await consumer.whenOpen(handleMs);
    return () => stop(queue);
  };

  return {
    send: (owner, command) => sender.send(owner, command),
    handle,
    isOpen: () => sender.isOpen && [...handled.values()].every(({ consumer }) => consumer.isOpen),
    close: async () => {
      await Promise.all([...handled.keys()].map(stop));
      await sender.close();
    },
  };
}
