import { reasonOf, type Clock, type Logger } from '@messaging-gateway/runtime';
import type { OperationBus } from '../operations.ts';
import type { Sealing } from '../sealing.ts';
import { BrokerConnection } from './broker-connection.ts';
import { rabbitMqOperationBus } from './rabbitmq-operation-bus.ts';

export interface RabbitMqOptions {
  /** `amqp://user:password@host:port/vhost` or `amqps://…`. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Says in the log why the broker is away. Default: the error's words. */
  readonly explain?: (error: unknown) => string;
  /** Shown by the broker for its connections, for example the service. */
  readonly name?: string;
  /**
   * Owner of an operation. One process holds a route for all operations of an owner, which costs the broker one binding
   * instead of one for each. Default: the operation itself.
   */
  readonly ownerOf?: (operation: string) => string;
  /** Requests and answers are sealed, and believed only with a seal. Default: whoever can publish is believed. */
  readonly sealing?: Sealing | undefined;
  /** Seconds; after two without a sign of the broker it counts as lost. Default 5. */
  readonly heartbeat?: number;
  /** How long a request waits for a broker that is away, milliseconds. Default 2 000. */
  readonly connectionWaitMs?: number;
}

/** `connecting`: the broker is away, or something that is served is not reached yet. `blocked`: it takes no messages. */
type RabbitMqState = 'connecting' | 'connected' | 'blocked' | 'closed';

export interface RabbitMq {
  readonly operations: OperationBus;
  state(): RabbitMqState;
  /** Why the broker is away, as far as that is known. */
  fault(): unknown;
  /** Stops serving, finishes what is in hand, sends what is on its way, and leaves. */
  close(): Promise<void>;
}

/**
 * Opens the port of operations over RabbitMQ. It returns at once and connects by itself, for ever: what is served is
 * reached as soon as the broker is there, and again after each outage. Two connections: one publishes, the other only
 * consumes, because a broker that is short of memory or disk holds back whoever publishes.
 */
export function openRabbitMq(options: RabbitMqOptions): RabbitMq {
  const { url, clock, log, explain = reasonOf, name = 'messaging-gateway', heartbeat = 5 } = options;
  const connect = (purpose: string): BrokerConnection =>
    new BrokerConnection({ url, name: `${name} ${purpose}`, log, explain, heartbeat });
  const [publishing, consuming] = [connect('publishing'), connect('consuming')];
  const connections = { publishing, consuming, clock, log };
  const operations = rabbitMqOperationBus({
    ...connections,
    connectionWaitMs: options.connectionWaitMs ?? 2_000,
    ownerOf: options.ownerOf ?? ((operation) => operation),
    sealing: options.sealing,
  });
  let isClosed = false;
  return {
    operations,
    state: () => {
      if (isClosed) return 'closed';
      if (!publishing.isConnected || !operations.isOpen()) return 'connecting';
      return publishing.isBlocked ? 'blocked' : 'connected';
    },
    fault: () => publishing.fault ?? consuming.fault,
    close: async () => {
      isClosed = true;
      await operations.close();
      await Promise.all([publishing.close(), consuming.close()]);
    },
  };
}
