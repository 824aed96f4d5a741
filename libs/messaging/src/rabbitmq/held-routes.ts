import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, type Logger, settledWithin } from '@messaging-gateway/runtime';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { OperationHandler } from '../operations.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { nothingServedAt, type HeldRoute } from './held-route.ts';
import { routesExchange, routesQueue } from './names.ts';
import type { OperationAnswers } from './operation-answers.ts';
import { beats, type Claim, type Received, type RouteClaims } from './route-claims.ts';
import { Serving } from './serving.ts';
import { SteadyChannel } from './steady-channel.ts';

/** Until a route is claimed again when the broker was away, milliseconds. */
const againMs = 100;
/** How long `serve` waits for its route, milliseconds; it follows later by itself. */
const serveMs = 10_000;
/** Until a claim is made sure of when the holder says that it has let go, milliseconds. */
const goneMs = 5;
/** How long the broker may take to unbind what is left at the end, milliseconds. */
const closeMs = 2_000;

export interface HeldRoutesParts {
  /** A connection that only consumes. */
  readonly connection: BrokerConnection;
  readonly clock: Clock;
  readonly log: Logger;
  readonly replica: string;
  readonly answers: OperationAnswers;
  readonly claims: RouteClaims;
}

/**
 * The routes of this replica: one queue that lives as long as its connection, bound once for each route. The newest
 * holder wins, and begins only when the one before has let go or its connection has ended (docs/decisions/0241).
 */
export class HeldRoutes {
  readonly #parts: HeldRoutesParts;
  readonly #channel: SteadyChannel;
  readonly #held = new Map<string, HeldRoute>();
  /** A new one for each connection: the broker may not have noticed yet that the last one is gone. */
  #queue = '';
  #queues = 0;
  #isClosed = false;

  constructor(parts: HeldRoutesParts) {
    this.#parts = parts;
    this.#channel = new SteadyChannel(
      parts.connection,
      {
        name: 'routes',
        setUp: (channel) => this.#setUp(channel),
        opened: () => this.#opened(),
        lost: () => this.#lost(),
      },
      parts.log,
    );
  }

  /** The queue of this replica; undefined while the broker is away. */
  get queue(): string | undefined {
    return this.isOpen ? this.#queue : undefined;
  }

  get isOpen(): boolean {
    return this.#channel.current !== undefined;
  }

  /**
   * Resolves when requests reach the handler; while the broker is away at once, and they will when it is back.
   *
   * @throws Error when this process serves the operation at the route already
   */
  async serve(operation: string, handler: OperationHandler, route: string): Promise<() => Promise<void>> {
    let held = this.#held.get(route);
    if (held?.served.has(operation) === true) throw new Error(`${operation} is served at ${route} already.`);
    if (held === undefined) {
      held = nothingServedAt(route);
      this.#held.set(route, held);
    }
    const serving = new Serving(this.#parts.answers, handler);
    held.served.set(operation, serving);
    if (held.state === 'lost') {
      Object.assign(held, { stamp: this.#parts.clock.now(), state: 'wanted', isOld: false });
      this.#establish(held);
    }
    await this.#settled(held);
    const at = held;
    return async () => {
      const isServed = at.served.get(operation) === serving && at.served.delete(operation);
      if (isServed && at.served.size === 0) await this.#letGo(at);
      await serving.finished();
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const served = [...this.#held.values()].flatMap((held) => [...held.served.values()]);
    for (const held of this.#held.values()) held.served.clear();
    await settledWithin(closeMs, Promise.all([...this.#held.values()].map((held) => this.#letGo(held))));
    await Promise.all(served.map((serving) => serving.finished()));
    await this.#channel.close();
  }

  /** Waits until the route is bound or lost, as long as the broker is there and takes messages. */
  async #settled(held: HeldRoute): Promise<void> {
    const until = performance.now() + serveMs;
    const isNear = (): boolean => this.#parts.connection.isConnected && !this.#isClosed;
    while (held.state === 'wanted' && isNear() && performance.now() < until)
      await settledWithin(againMs, held.establishing ?? delay(goneMs));
  }

  async #setUp(channel: Channel): Promise<void> {
    this.#queue = routesQueue(`${this.#parts.replica}.${(this.#queues += 1)}`);
    await channel.assertExchange(routesExchange, 'direct', { durable: true });
    await channel.assertQueue(this.#queue, { exclusive: true, durable: false });
    await channel.consume(this.#queue, (message) => this.#came(message), { noAck: true });
  }

  #opened(): void {
    for (const held of this.#held.values()) if (held.state === 'wanted') this.#establish(held);
  }

  /** The bindings are gone with the queue. Meanwhile others may have come. */
  #lost(): void {
    for (const held of this.#held.values()) if (held.state === 'bound') held.state = 'wanted';
  }

  #establish(held: HeldRoute): void {
    held.establishing ??= this.#claim(held)
      .catch((error: unknown) =>
        this.#parts.log.warn('Route not bound yet', { route: held.route, reason: String(error) }),
      )
      .finally(() => {
        held.establishing = undefined;
        if (held.state === 'wanted' && this.isOpen) setTimeout(() => this.#establish(held), againMs).unref();
      });
  }

  /** Returns with the route bound or lost, or when the broker is away. */
  async #claim(held: HeldRoute): Promise<void> {
    const { claims } = this.#parts;
    while (held.state === 'wanted' && !this.#isClosed) {
      const channel = this.#channel.current;
      if (channel === undefined || !claims.isOpen) return;
      const outcome = await claims.ask(held.route, held.stamp, this.#queue);
      if (outcome === 'away') return;
      if (outcome === 'nobody') return this.#bind(held, channel);
      if (outcome === 'silent') continue;
      if (outcome.keeps === undefined) await delay(goneMs);
      else if (held.isOld) this.#lose(held);
      else held.stamp = outcome.keeps.stamp + 1;
    }
  }

  async #bind(held: HeldRoute, channel: Channel): Promise<void> {
    await channel.bindQueue(this.#queue, routesExchange, held.route);
    if (held.state !== 'wanted') return this.#unbind(held);
    held.state = 'bound';
    held.isOld = true;
    this.#parts.claims.announce(held.route, held.stamp, this.#queue);
  }

  #came(message: ConsumeMessage | null): void {
    if (message === null) return this.#channel.reopen();
    const received = this.#receive(message);
    if (received !== undefined) {
      if (received.claim !== undefined) void this.#claimed(message, received.claim);
      if (received.late?.keeps !== undefined) void this.#giveWay(received.late.route, received.late.keeps);
      return;
    }
    const held = this.#held.get(message.fields.routingKey);
    const serving = held?.state === 'bound' ? held.served.get(String(message.properties.type)) : undefined;
    void (serving?.carryOut(message) ?? this.#parts.answers.carryOut(message, undefined));
  }

  #receive(message: ConsumeMessage): Received | undefined {
    try {
      return this.#parts.claims.receive(message);
    } catch (error) {
      this.#parts.log.error('Message for a route not readable', { reason: String(error) });
      return {};
    }
  }

  /** Says that it has let go only when nothing more can come. */
  async #claimed(message: ConsumeMessage, claim: Claim): Promise<void> {
    const { claims, replica } = this.#parts;
    const keptWith = await this.#giveWay(claim.route, claim);
    claims.answer(message, {
      route: claim.route,
      ...(keptWith !== undefined && { keeps: { stamp: keptWith, replica } }),
    });
  }

  /** @returns the stamp by which this replica goes on to hold the route */
  async #giveWay(route: string, rival: Pick<Claim, 'stamp' | 'replica'>): Promise<number | undefined> {
    const { replica } = this.#parts;
    const held = this.#held.get(route);
    if (held?.state !== 'bound') {
      await held?.unbinding;
      return undefined;
    }
    if (!beats(rival, { stamp: held.stamp, replica })) return held.stamp;
    this.#lose(held);
    await this.#unbind(held);
    return undefined;
  }

  #lose(held: HeldRoute): void {
    held.state = 'lost';
    this.#parts.log.warn('A newer holder has taken a route', { route: held.route });
  }

  /** Nothing is left to serve at the route, unless somebody serves it again meanwhile. */
  async #letGo(held: HeldRoute): Promise<void> {
    const wasBound = held.state === 'bound';
    held.state = 'lost';
    await held.establishing;
    if (wasBound) await this.#unbind(held);
    if (held.served.size === 0) this.#held.delete(held.route);
  }

  #unbind(held: HeldRoute): Promise<void> {
    const unbound = async (): Promise<void> => {
      await this.#channel.current?.unbindQueue(this.#queue, routesExchange, held.route).catch(() => undefined);
      held.unbinding = undefined;
    };
    held.unbinding ??= unbound();
    return held.unbinding;
  }
}
