import type { Logger } from '@messaging-gateway/runtime';
import type { Channel, Message, MessageProperties } from 'amqplib';
import type { BrokerConnection } from './broker-connection.ts';
import { routesExchange } from './names.ts';
import { SteadyChannel } from './steady-channel.ts';

/** Told apart from the names of operations. */
const claimType = 'route.claim';
const verdictType = 'route.verdict';
/** How long a holder may take to answer before it is asked again, milliseconds. */
const answerMs = 1_000;

/** The claim of a replica that wants to hold a route. The greater stamp wins; equal ones by the replica's id. */
export interface Claim {
  readonly route: string;
  readonly stamp: number;
  readonly replica: string;
}

/** The present holder's answer to a claim: it has let go, or holds by a greater stamp. */
export interface Verdict {
  readonly route: string;
  readonly keeps?: { readonly stamp: number; readonly replica: string };
}

export type ClaimOutcome = Verdict | 'nobody' | 'silent' | 'away';

export const beats = (one: Omit<Claim, 'route'>, other: Omit<Claim, 'route'>): boolean =>
  one.stamp > other.stamp || (one.stamp === other.stamp && one.replica > other.replica);

/** A claim of another replica, or a verdict that came when nobody waited for it any more. */
export interface Received {
  readonly claim?: Claim;
  readonly late?: Verdict;
}

export interface RouteClaimsParts {
  /** A connection that publishes. */
  readonly connection: BrokerConnection;
  readonly log: Logger;
  readonly replica: string;
}

/**
 * Asks whoever holds a route to let go of it. A claim goes the way of the requests, behind all of them that were sent
 * before it; when nobody holds the route, the broker gives it back.
 */
export class RouteClaims {
  readonly #replica: string;
  readonly #channel: SteadyChannel;
  readonly #asked = new Map<string, (outcome: ClaimOutcome) => void>();
  #count = 0;

  constructor({ connection, log, replica }: RouteClaimsParts) {
    this.#replica = replica;
    this.#channel = new SteadyChannel(
      connection,
      { name: 'claims', setUp: (channel) => this.#setUp(channel), lost: () => this.#settleAll('away') },
      log,
    );
  }

  get isOpen(): boolean {
    return this.#channel.current !== undefined;
  }

  /** @param replyTo the queue of this replica */
  ask(route: string, stamp: number, replyTo: string): Promise<ClaimOutcome> {
    const id = `${(this.#count += 1)}`;
    return new Promise((resolve) => {
      const settle = (outcome: ClaimOutcome): void => {
        clearTimeout(timer);
        this.#asked.delete(id);
        resolve(outcome);
      };
      const timer = setTimeout(() => settle('silent'), answerMs);
      this.#asked.set(id, settle);
      if (!this.#claim(route, stamp, replyTo, id)) settle('away');
    });
  }

  /** Tells all that are bound to the route, which may be another one that came at the same moment. */
  announce(route: string, stamp: number, replyTo: string): void {
    this.#claim(route, stamp, replyTo, 'announced');
  }

  /** Answers the claim of another replica. What cannot be said now is asked again. */
  answer({ properties }: Message, verdict: Verdict): void {
    try {
      this.#channel.publish('', String(properties.replyTo), contentOf(verdict), {
        type: verdictType,
        correlationId: String(properties.correlationId),
      });
    } catch {
      // The broker is away.
    }
  }

  /** Takes in what came to the queue of this replica. @returns undefined when it is a request */
  receive({ properties, content }: Message): Received | undefined {
    const { type } = properties;
    if (type !== claimType && type !== verdictType) return undefined;
    const said: unknown = JSON.parse(content.toString());
    if (type === claimType) {
      if ((said as Claim).replica !== this.#replica) return { claim: said as Claim };
      this.#settle(properties, 'nobody');
    } else if (!this.#settle(properties, said as Verdict)) return { late: said as Verdict };
    return {};
  }

  async close(): Promise<void> {
    await this.#channel.close();
    this.#settleAll('away');
  }

  async #setUp(channel: Channel): Promise<void> {
    channel.on('return', ({ properties }) => void this.#settle(properties, 'nobody'));
    await channel.assertExchange(routesExchange, 'direct', { durable: true });
  }

  #claim(route: string, stamp: number, replyTo: string, correlationId: string): boolean {
    const claim: Claim = { route, stamp, replica: this.#replica };
    try {
      const options = { mandatory: true, type: claimType, correlationId, replyTo };
      this.#channel.publish(routesExchange, route, contentOf(claim), options);
      return true;
    } catch {
      return false;
    }
  }

  /** @returns whether somebody waits for it */
  #settle({ correlationId }: Pick<MessageProperties, 'correlationId'>, outcome: ClaimOutcome): boolean {
    const settle = this.#asked.get(String(correlationId));
    settle?.(outcome);
    return settle !== undefined;
  }

  #settleAll(outcome: ClaimOutcome): void {
    for (const settle of this.#asked.values()) settle(outcome);
  }
}

const contentOf = (said: Claim | Verdict): Buffer => Buffer.from(JSON.stringify(said));
