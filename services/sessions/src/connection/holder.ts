import {
  DeliverMessage,
  SendReadReceipts,
  SettleMessage,
  SteerConnection,
  type AnswerOf,
} from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { nothingLeft } from '../engine/not-connected.ts';
import type { Lease } from '../lease/leases.ts';
import type { ProfileConnection } from './profile-connection.ts';

export type Steering = Static<(typeof SteerConnection)['body']>;
export type Steered = AnswerOf<typeof SteerConnection>;

/** One profile that this replica holds: its connection, and the requests that only the holder can answer. */
export class Held {
  readonly lease: Lease;
  readonly connection: ProfileConnection;
  #unserve: (() => Promise<void>)[] = [];

  constructor(lease: Lease, connection: ProfileConnection) {
    this.lease = lease;
    this.connection = connection;
  }

  /** Answers requests that are routed to the profile, until `leave`. */
  async serve(serveRoute: ServiceTools<unknown>['serveRoute']): Promise<void> {
    const { profileId } = this.lease;
    this.#unserve = await Promise.all([
      serveRoute(DeliverMessage, profileId, (body, { deadline, traceparent }) => this.deliver(body, deadline, traceparent)),
      serveRoute(SettleMessage, profileId, (body) => this.settle(body)),
      serveRoute(SendReadReceipts, profileId, (body) => this.markRead(body)),
      serveRoute(SteerConnection, profileId, (body) => this.steer(body)),
    ]);
  }

  async deliver(
    body: Static<(typeof DeliverMessage)['body']>,
    deadline: number,
    traceparent?: string,
  ): Promise<AnswerOf<typeof DeliverMessage>> {
    this.#own(body.organizationId);
    return this.connection.current().deliveries.deliver(body, deadline, traceparent);
  }

  async settle(body: Static<(typeof SettleMessage)['body']>): Promise<AnswerOf<typeof SettleMessage>> {
    this.#own(body.organizationId);
    return this.connection.current().deliveries.settle(body.networkMessageId, body.laneEpoch);
  }

  async markRead({ organizationId, chat, messages }: Static<(typeof SendReadReceipts)['body']>): Promise<object> {
    this.#own(organizationId);
    await this.connection.current().session.markRead(chat, messages);
    return {};
  }

  async steer({ organizationId, action, phoneNumber }: Steering): Promise<Steered> {
    this.#own(organizationId);
    switch (action) {
      case 'connect':
        await this.connection.connect();
        break;
      case 'disconnect':
        await this.connection.disconnect();
        break;
      case 'unlink':
        await this.connection.unlink();
        break;
      case 'pair': {
        const pairingCode = await this.connection.pair(phoneNumber ?? '');
        return { status: this.connection.status, pairingCode };
      }
    }
    return { status: this.connection.status };
  }

  /** Lets go: the link stays, and nothing is told. */
  async leave(): Promise<void> {
    const unserved = Promise.all(this.#unserve.splice(0).map((stop) => stop()));
    await this.connection.leave();
    await unserved;
  }

  #own(organizationId: string): void {
    if (organizationId !== this.lease.organizationId)
      throw new Refused('NOT_FOUND', 'There is no such profile.', nothingLeft);
  }
}
