import type { ChannelModel } from 'amqplib';
import type { BrokerConnection, Part } from './broker-connection.ts';

/** What the broker says of a queue that is not there, or whose node is away. */
const notFound = 404;

interface Look {
  readonly suspicion: number;
  readonly isAway: Promise<boolean>;
}

/**
 * Which queues are away with their node of a cluster. RabbitMQ 3 sends back what is published to them, RabbitMQ 4 takes it and lets it
 * fall, which it says: from then on each queue is looked at once before it is used again. Nothing is looked at before.
 */
export class QueuesAway {
  readonly #part: Part;
  readonly #connection: BrokerConnection;
  readonly #looks = new Map<string, Look>();
  #model: ChannelModel | undefined;
  #suspicions = 0;

  constructor(connection: BrokerConnection) {
    this.#connection = connection;
    this.#part = {
      begin: (model) => void (this.#model = model),
      lost: () => void (this.#model = undefined),
      flowChanged: () => undefined,
    };
    connection.join(this.#part);
  }

  /** Something was let fall. */
  suspect(): void {
    this.#suspicions += 1;
  }

  /** Something was let fall, at any time before. */
  get hasSuspicion(): boolean {
    return this.#suspicions > 0;
  }

  /** Looks unless that was done since the last suspicion. False also while the broker cannot be asked. */
  isAway(queue: string): Promise<boolean> {
    const known = this.#looks.get(queue);
    if (known?.suspicion === this.#suspicions) return known.isAway;
    return this.lookAgain(queue);
  }

  lookAgain(queue: string): Promise<boolean> {
    const isAway = this.#look(queue);
    this.#looks.set(queue, { suspicion: this.#suspicions, isAway });
    return isAway;
  }

  close(): void {
    this.#connection.leave(this.#part);
  }

  async #look(queue: string): Promise<boolean> {
    try {
      const channel = await this.#model?.createChannel();
      channel?.on('error', () => undefined);
      await channel?.checkQueue(queue);
      await channel?.close();
      return false;
    } catch (error) {
      return (error as { readonly code?: unknown }).code === notFound;
    }
  }
}
