import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { ConsumeMessage } from 'amqplib';
import { faultOf } from '../fault.ts';
import { unseen, type OperationHandler } from '../operations.ts';
import { unavailable } from '../refused.ts';
import { disbelief, sealed, sealHeader, type Sealing } from '../sealing.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { answerPlace, probeType, requestPlace, takenType } from './names.ts';
import { SteadyChannel } from './steady-channel.ts';

export interface OperationAnswersParts {
  /** A connection that publishes. */
  readonly connection: BrokerConnection;
  readonly clock: Clock;
  readonly log: Logger;
  /** A queue that lives as long as this process takes requests. */
  readonly presence: () => string | undefined;
  readonly sealing: Sealing | undefined;
}

/** A requester that waits longer is told who has its request, milliseconds. */
const takenMs = 250;

/** Carries out requests as they come from a queue and sends the answers back. */
export class OperationAnswers {
  readonly #parts: OperationAnswersParts;
  readonly #channel: SteadyChannel;
  readonly #inHand = new Set<string>();

  constructor(parts: OperationAnswersParts) {
    this.#parts = parts;
    this.#channel = new SteadyChannel(parts.connection, { name: 'answers' }, parts.log);
  }

  /** Resolves when the answer is on its way, or can no longer be used. Never rejects. */
  async carryOut(message: ConsumeMessage, handler: OperationHandler | undefined): Promise<void> {
    const { correlationId, replyTo, type: operation } = message.properties;
    if (operation === probeType) return;
    const id = `${replyTo} ${correlationId}`;
    // The connection broke while it was in hand here, and the broker gave it out again.
    if (this.#inHand.has(id)) return;
    this.#inHand.add(id);
    const slow = setTimeout(() => this.#sayWhoHas(message), takenMs);
    try {
      const request = JSON.parse(message.content.toString()) as OperationRequest;
      const answer = await this.#answerOf(String(operation), message, request, handler);
      await this.#send(message, request.deadline, answer);
    } catch (error) {
      this.#parts.log.error('Request not answered', { operation, reason: String(error) });
    } finally {
      clearTimeout(slow);
      this.#inHand.delete(id);
    }
  }

  close(): Promise<void> {
    return this.#channel.close();
  }

  async #answerOf(
    operation: string,
    { fields, content, properties }: ConsumeMessage,
    request: OperationRequest,
    handler: OperationHandler | undefined,
  ): Promise<Answer> {
    try {
      if (fields.redelivered) throw unavailable(operation, 'was in the hands of a process that is gone');
      const why = disbelief(this.#parts.sealing, requestPlace(operation), content, properties.headers?.[sealHeader]);
      if (why !== undefined) throw this.#disbelieved(operation, why);
      if (handler === undefined) throw unavailable(operation, 'is not served here any more', unseen);
      if (this.#parts.clock.now() >= request.deadline) throw unavailable(operation, 'came too late', unseen);
      return contentOf('reply', await handler(request));
    } catch (error) {
      return contentOf('fault', faultOf(error));
    }
  }

  #disbelieved(operation: string, seal: string): Error {
    this.#parts.log.error('A request is not believed', { operation, seal });
    return unavailable(operation, 'was asked for without a seal of this installation', unseen);
  }

  #sayWhoHas({ properties: { correlationId, replyTo } }: ConsumeMessage): void {
    const queue = this.#parts.presence();
    if (queue === undefined || !this.#channel.isReady) return;
    const options = { type: takenType, correlationId: String(correlationId) };
    this.#channel.publish('', String(replyTo), Buffer.from(queue), options);
  }

  async #send(message: ConsumeMessage, deadline: number, { type, content }: Answer): Promise<void> {
    const { correlationId, replyTo, headers } = message.properties;
    const options = {
      type,
      correlationId: String(correlationId),
      headers: sealed(this.#parts.sealing, answerPlace(headers?.[sealHeader]), content),
      contentType: 'application/json',
    };
    while (!this.#channel.isReady) {
      const left = deadline - this.#parts.clock.now();
      if (left <= 0 || !(await this.#channel.whenReady(left))) return;
    }
    this.#channel.publish('', String(replyTo), content, options);
  }
}

interface Answer {
  readonly type: 'reply' | 'fault';
  readonly content: Buffer;
}

const contentOf = (type: Answer['type'], value: OperationReply | ReturnType<typeof faultOf>): Answer => ({
  type,
  content: Buffer.from(JSON.stringify(value)),
});
