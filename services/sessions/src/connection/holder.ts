import { setTimeout as sleep } from 'node:timers/promises';
import {
  CheckNumbers,
  DeliverMessage,
  FetchOlderMessages,
  FetchPeople,
  SendReadReceipts,
  SendTyping,
  SettleMessage,
  SteerConnection,
  type AnswerOf,
} from '@messaging-gateway/contracts';
import { Refused, unseen } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { nothingLeft } from '../engine/not-connected.ts';
import { HeldGroups } from '../group/holder-side.ts';
import type { HeldLease } from './held-lease.ts';
import { NumberChecks } from './number-checks.ts';
import type { OpenSession } from './open-session.ts';
import type { ProfileConnection } from './profile-connection.ts';

export type Steering = Static<(typeof SteerConnection)['body']>;
export type Steered = AnswerOf<typeof SteerConnection>;

/** How long requests in progress may take when the profile is handed over, milliseconds. */
const answersMs = 6_000;

/** How long the phone may take to hand over older messages, milliseconds. */
const phoneMs = 15_000;

/** One profile that this replica holds: its connection, and the requests that only the holder can answer. */
export class Held {
  readonly lease: HeldLease;
  readonly connection: ProfileConnection;
  #unserve: (() => Promise<void>)[] = [];
  readonly #numbers: NumberChecks;
  readonly groups: HeldGroups;
  /** Milliseconds that never jump. */
  readonly #takenAt = performance.now();
  #isLeft = false;
  #remains = false;

  constructor(lease: HeldLease, connection: ProfileConnection, clock: Clock) {
    this.lease = lease;
    this.connection = connection;
    this.#numbers = new NumberChecks(clock);
    this.groups = new HeldGroups((organizationId, work) => this.#ask(organizationId, work), clock);
  }

  /** Opens the session data. What cannot be read or written is told when the profile connects. */
  async prepare(log: Logger): Promise<void> {
    await this.connection.prepare().catch(({ message: reason }: Error) => {
      log.warn('Session data could not be opened', { profileId: this.lease.profileId, reason });
    });
  }

  /**
   * Answers requests that are routed to the profile, until `leave`.
   *
   * @throws what kept it from answering all of them, Refused SERVICE_UNAVAILABLE when it was left meanwhile
   */
  async serve(serveRoute: ServiceTools<unknown>['serveRoute']): Promise<void> {
    if (this.#isLeft) throw handedOver();
    const { profileId } = this.lease;
    const bindings = [
      serveRoute(DeliverMessage, profileId, (body, { deadline, traceparent }) =>
        this.deliver(body, deadline, traceparent),
      ),
      serveRoute(SettleMessage, profileId, (body) => this.settle(body)),
      serveRoute(CheckNumbers, profileId, (body, { deadline }) => this.checkNumbers(body, deadline)),
      serveRoute(SendReadReceipts, profileId, (body) => this.markRead(body)),
      serveRoute(SendTyping, profileId, (body) => this.setTyping(body)),
      serveRoute(FetchOlderMessages, profileId, (body) => this.olderMessages(body)),
      serveRoute(FetchPeople, profileId, (body) => this.people(body)),
      ...this.groups.serve(serveRoute, profileId),
      serveRoute(SteerConnection, profileId, (body) => this.steer(body)),
    ];
    await Promise.allSettled(bindings.map(async (binding) => this.#bound(await binding)));
    await Promise.all(bindings);
    if (this.#isLeft) throw handedOver();
  }

  /** What is bound after it was left answers for nobody. */
  async #bound(stop: () => Promise<void>): Promise<void> {
    if (this.#isLeft) await stop();
    else this.#unserve.push(stop);
  }

  async deliver(
    body: Static<(typeof DeliverMessage)['body']>,
    deadline: number,
    traceparent?: string,
  ): Promise<AnswerOf<typeof DeliverMessage>> {
    return this.#ask(body.organizationId, ({ deliveries }) => deliveries.deliver(body, deadline, traceparent));
  }

  async settle(body: Static<(typeof SettleMessage)['body']>): Promise<AnswerOf<typeof SettleMessage>> {
    this.#own(body.organizationId);
    return this.connection.current().deliveries.settle(body.networkMessageId, body.laneEpoch);
  }

  async checkNumbers(
    { organizationId, phones }: Static<(typeof CheckNumbers)['body']>,
    deadline: number,
  ): Promise<AnswerOf<typeof CheckNumbers>> {
    return this.#ask(organizationId, async () => {
      const known = await this.#numbers.inTurn(() => this.connection.current().session.checkNumbers(phones), deadline);
      return { known: [...known] };
    });
  }

  async markRead({ organizationId, chat, messages }: Static<(typeof SendReadReceipts)['body']>): Promise<object> {
    await this.#ask(organizationId, ({ session }) => session.markRead(chat, messages));
    return {};
  }

  async setTyping({ organizationId, chat, state }: Static<(typeof SendTyping)['body']>): Promise<object> {
    await this.#ask(organizationId, ({ session }) => session.setTyping(chat, state));
    return {};
  }

  async olderMessages({
    organizationId,
    chat,
    oldest,
    count,
  }: Static<(typeof FetchOlderMessages)['body']>): Promise<AnswerOf<typeof FetchOlderMessages>> {
    return this.#ask(organizationId, async ({ session }) => {
      const { networkMessageIds, ...said } = await session.olderMessages({ chat, oldest, count, waitMs: phoneMs });
      return { networkMessageIds: [...networkMessageIds], ...said };
    });
  }

  async people({
    organizationId,
    after = '',
    limit,
  }: Static<(typeof FetchPeople)['body']>): Promise<AnswerOf<typeof FetchPeople>> {
    return this.#ask(organizationId, async ({ session }) => {
      const { people, next } = await session.people(after, limit);
      return { people: [...people], ...(next !== undefined && { next }) };
    });
  }

  async steer({ organizationId, action, phoneNumber }: Steering): Promise<Steered> {
    this.#own(organizationId);
    if (this.#isLeft) throw handedOver();
    switch (action) {
      case 'connect':
        await this.connection.connect();
        break;
      case 'resume':
        await this.connection.connect('handed-over');
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

  /** It is down until somebody wants it: it can be let go of for another one. */
  get isResting(): boolean {
    return !(this.connection.isWanted ?? !this.#remains);
  }

  /** Nobody has said for so long whether it is to be connected: whatever it was taken for has failed. Milliseconds. */
  isIdleFor(milliseconds: number): boolean {
    const isIdle = this.connection.isWanted === undefined && !this.#remains;
    return isIdle && performance.now() - this.#takenAt > milliseconds;
  }

  /** It is held for what the journal has not taken yet. */
  remain(): void {
    this.#remains = true;
  }

  /** Whether this replica has let go of it. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Lets go at once: the link stays, and nothing is told. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    const unserved = this.#stopServing();
    await this.connection.leave();
    await unserved;
  }

  /** Lets go after the requests in progress have been answered, for another replica to take over. */
  async leaveInOrder(): Promise<void> {
    this.#isLeft = true;
    const late = new AbortController();
    await Promise.race([this.#stopServing(), sleep(answersMs, undefined, { ref: false, signal: late.signal })]).finally(
      () => late.abort(),
    );
    await this.connection.leave();
  }

  async #stopServing(): Promise<void> {
    await Promise.all(this.#unserve.splice(0).map((stop) => stop()));
  }

  /** Asks the connection. A profile on its way here is waited for; one that has left meanwhile is asked of its new holder. */
  async #ask<Answer>(organizationId: string, work: (open: OpenSession) => Promise<Answer>): Promise<Answer> {
    this.#own(organizationId);
    await this.connection.arrived();
    try {
      return await work(this.connection.current());
    } catch (error) {
      if (await this.#isForAnother(error)) throw handedOver();
      throw error;
    }
  }

  /** Nothing was done, since the profile has another holder: that one can be asked. */
  async #isForAnother(error: unknown): Promise<boolean> {
    if (!(error instanceof Refused)) return false;
    const isNotConnected = error.code === 'PROFILE_NOT_CONNECTED';
    if (this.#isLeft) return isNotConnected;
    // Its session data refuses what comes from a holder that was replaced, before anything has left.
    const isFenced = error.code === 'ENGINE_REFUSED' && error.details === nothingLeft;
    return (isFenced || (isNotConnected && this.connection.isWanted === true)) && this.lease.isLost();
  }

  #own(organizationId: string): void {
    if (organizationId !== this.lease.organizationId)
      throw new Refused('NOT_FOUND', 'There is no such profile.', nothingLeft);
    // Others may think this replica dead and hold the profile already.
    if (!this.lease.isAlive())
      throw new Refused('SERVICE_UNAVAILABLE', 'The holder of the profile has lost its lease.', {
        ...nothingLeft,
        ...unseen,
      });
  }
}

const handedOver = (): Refused =>
  new Refused('SERVICE_UNAVAILABLE', 'The profile has another holder.', { ...nothingLeft, ...unseen });
