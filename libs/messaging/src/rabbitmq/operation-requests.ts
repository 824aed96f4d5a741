import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Channel, Message } from 'amqplib';
import { refusedFrom, type Fault } from '../fault.ts';
import { unseen, type OperationBus } from '../operations.ts';
import { unavailable } from '../refused.ts';
import { disbelief, sealed, sealHeader, type Sealing } from '../sealing.ts';
import { AnswerWatch, type Address, type Watched } from './answer-watch.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { answerPlace, operationQueue, requestPlace, routeKey, routesExchange, spareQueue, takenType } from './names.ts';
import { QueuesAway } from './queues-away.ts';
import { SteadyChannel } from './steady-channel.ts';

const replyQueue = 'amq.rabbitmq.reply-to';
/** RabbitMQ takes no longer expiration, milliseconds. */
const longestExpiration = 2 ** 31;

interface Pending extends Watched {
  readonly operation: string;
  /** Where it was published last. */
  to: Address;
  /** Where else it may be served, should it come back. */
  elsewhere: string | undefined;
  /** Where its answer belongs. */
  readonly answerPlace: string;
  settle(answer: (() => OperationReply) | Error): void;
}

/** Where a request goes, and where else it may. */
type Way = Pick<Pending, 'to' | 'elsewhere'>;

const addressOf = (queue: string): Address => ({ exchange: '', key: queue });

export interface OperationRequestsParts {
  readonly connection: BrokerConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a request waits for a broker that is away, milliseconds. */
  readonly connectionWaitMs: number;
  readonly ownerOf: (operation: string) => string;
  readonly sealing: Sealing | undefined;
}

/** The asking side: one channel, on which the answers come too (direct reply-to), told apart by a number. */
export class OperationRequests {
  readonly #parts: OperationRequestsParts;
  readonly #channel: SteadyChannel;
  readonly #watch: AnswerWatch;
  readonly #away: QueuesAway;
  readonly #pending = new Map<string, Pending>();
  #count = 0;

  constructor(parts: OperationRequestsParts) {
    this.#parts = parts;
    this.#channel = new SteadyChannel(
      parts.connection,
      { name: 'requests', hears: 'refusals', setUp: (channel) => this.#setUp(channel), lost: () => this.#lost() },
      parts.log,
    );
    this.#away = new QueuesAway(parts.connection);
    this.#watch = new AnswerWatch(
      this.#channel,
      () => this.#pending.values(),
      () => this.#away.suspect(),
    );
  }

  get isOpen(): boolean {
    return this.#channel.current !== undefined;
  }

  /** As the port promises. It is published at most once. */
  readonly request: OperationBus['request'] = async (operation, asked, { route } = {}) => {
    const { clock, connectionWaitMs } = this.#parts;
    const left = asked.deadline - clock.now();
    if (left <= 0) throw unavailable(operation, 'came too late', unseen);
    if (!this.#channel.isReady && !(await this.#channel.whenReady(Math.min(left, connectionWaitMs))))
      throw unavailable(operation, 'cannot be asked for: the broker is away', unseen);
    return this.#publish(operation, asked, await this.#wayOf(operation, route));
  };

  /** Gives up the requests that are still open. */
  async close(): Promise<void> {
    this.#watch.stop();
    this.#away.close();
    await this.#channel.close();
    this.#lost();
  }

  #publish(operation: string, asked: OperationRequest, { to, elsewhere }: Way): Promise<OperationReply> {
    const { clock, sealing } = this.#parts;
    const content = Buffer.from(JSON.stringify(asked));
    const headers = sealed(sealing, requestPlace(operation), content);
    const correlationId = (this.#count++).toString(36);
    const left = Math.max(1, Math.min(Math.ceil(asked.deadline - clock.now()), longestExpiration));
    return new Promise((resolve, reject) => {
      const cancel = clock.at(asked.deadline, () => settle(unavailable(operation, 'was not answered in time')));
      const settle: Pending['settle'] = (answer) => {
        cancel();
        this.#pending.delete(correlationId);
        if (answer instanceof Error) return reject(answer);
        try {
          resolve(answer());
        } catch (error) {
          reject(error);
        }
      };
      const orphaned = (): void => settle(unavailable(operation, 'was in the hands of a process that is gone'));
      this.#pending.set(correlationId, {
        operation,
        answerPlace: answerPlace(headers[sealHeader]),
        to,
        elsewhere,
        askedAt: performance.now(),
        holder: undefined,
        settle,
        orphaned,
      });
      try {
        const options = {
          mandatory: true,
          correlationId,
          replyTo: replyQueue,
          type: operation,
          headers,
          contentType: 'application/json',
          expiration: left,
        };
        this.#channel.publish(to.exchange, to.key, content, options, () => this.#fell(correlationId));
      } catch {
        settle(unavailable(operation, 'cannot be asked for: the broker is away', unseen));
      }
    });
  }

  /** As a rule without asking the broker anything. */
  #wayOf(operation: string, route: string | undefined): Way | Promise<Way> {
    if (route !== undefined)
      return {
        to: { exchange: routesExchange, key: routeKey(this.#parts.ownerOf(operation), route) },
        elsewhere: undefined,
      };
    const usual = { to: addressOf(operationQueue(operation)), elsewhere: spareQueue(operation) };
    return this.#away.hasSuspicion ? this.#looked(operation, usual) : usual;
  }

  async #looked(operation: string, usual: Way): Promise<Way> {
    const queue = operationQueue(operation);
    if (!(await this.#away.isAway(queue))) return usual;
    return { to: addressOf(spareQueue(operation)), elsewhere: queue };
  }

  async #setUp(channel: Channel): Promise<void> {
    channel.on('return', (message) => this.#returned(message));
    await channel.assertExchange(routesExchange, 'direct', { durable: true });
    await channel.consume(replyQueue, (message) => this.#answered(message), { noAck: true });
  }

  #returned(message: Message): void {
    const correlationId = String(message.properties.correlationId);
    if (this.#watch.returned(correlationId)) return;
    const pending = this.#pending.get(correlationId);
    if (pending !== undefined) void this.#triesElsewhere(pending, message);
  }

  /**
   * The queue is not there, perhaps because its node is away: then the operation is served from the other one. The usual one is looked at
   * first, because the broker may let fall what is published to it.
   */
  async #triesElsewhere(pending: Pending, { content, properties }: Message): Promise<void> {
    const { operation, elsewhere, settle } = pending;
    pending.elsewhere = undefined;
    const isUsual = elsewhere === operationQueue(operation);
    if (elsewhere === undefined || (isUsual && (await this.#away.lookAgain(elsewhere))))
      return settle(unavailable(operation, 'is served by nobody now', unseen));
    // Nobody waits for it any more.
    if (this.#pending.get(String(properties.correlationId)) !== pending) return undefined;
    pending.to = addressOf(elsewhere);
    const options = { ...properties, replyTo: replyQueue, mandatory: true };
    try {
      this.#channel.publish('', elsewhere, content, options, () => this.#fell(String(properties.correlationId)));
    } catch {
      settle(unavailable(operation, 'is served by nobody now', unseen));
    }
  }

  /** Its queue was lost before the broker could say that it has it. Whether somebody has got it cannot be known: it is not sent again. */
  #fell(correlationId: string): void {
    this.#away.suspect();
    const pending = this.#pending.get(correlationId);
    pending?.settle(unavailable(pending.operation, 'was lost with its queue'));
  }

  /** An answer that nobody waits for any more is let go. */
  #answered(message: Message | null): void {
    if (message === null) return this.#channel.reopen();
    const { correlationId, type } = message.properties;
    const pending = this.#pending.get(String(correlationId));
    if (pending !== undefined && type === takenType) pending.holder = message.content.toString();
    else
      pending?.settle(() => {
        this.#assertBelieved(pending, message);
        const answer: unknown = JSON.parse(message.content.toString());
        if (type === 'fault') throw refusedFrom(answer as Fault);
        return answer as OperationReply;
      });
  }

  #assertBelieved({ operation, answerPlace: place }: Pending, { content, properties }: Message): void {
    const why = disbelief(this.#parts.sealing, place, content, properties.headers?.[sealHeader]);
    if (why === undefined) return;
    this.#parts.log.error('An answer is not believed', { operation, seal: why });
    throw unavailable(operation, 'got an answer that nobody of this installation has sealed');
  }

  /** Whether they were carried out cannot be known: they are not sent again. */
  #lost(): void {
    for (const { operation, settle } of this.#pending.values())
      settle(unavailable(operation, 'lost its answer: the connection to the broker broke'));
  }
}
