import type { Operation, OperationReply, OperationRequest, ServiceName } from '@messaging-gateway/contracts';
import { Refused, type OperationBus } from '@messaging-gateway/messaging';
import { lookedUp, type Clock, type Logger, type Metrics } from '@messaging-gateway/runtime';
import CircuitBreaker from 'opossum';
import { unavailable } from './dispatcher.ts';

export interface BreakerOptions {
  readonly bus: OperationBus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

type Ask = [operation: string, request: OperationRequest];

const restMs = 5000;

/**
 * One circuit breaker for each owner. What opens it is an owner that lets requests wait until their deadline: then the
 * next ones are refused at once instead of piling up behind it. An owner that nobody serves is refused at once by the
 * bus itself, and what an owner refuses is an answer; neither counts.
 */
export class OwnerBreakers {
  readonly #breakers = new Map<ServiceName, CircuitBreaker<Ask, OperationReply>>();
  readonly #options: BreakerOptions;
  readonly #unmeasure: () => void;

  constructor(options: BreakerOptions) {
    this.#options = options;
    const gauge = {
      name: 'gateway_breaker_open',
      help: 'Whether requests to an owner are refused at once, because it let too many wait: 1 or 0',
      labels: ['owner'],
    };
    this.#unmeasure = lookedUp(options.metrics, gauge, () =>
      [...this.#breakers].map(([owner, { opened }]) => ({ labels: { owner }, value: Number(opened) })),
    );
  }

  async request(operation: Operation, request: OperationRequest): Promise<OperationReply> {
    try {
      return await this.#breakerOf(operation.owner).fire(operation.name, request);
    } catch (error) {
      if (error instanceof Late) throw error.cause;
      if (!CircuitBreaker.isOurError(error as Error)) throw error;
      throw unavailable(`${operation.owner} does not answer now.`, restMs / 1000);
    }
  }

  stop(): void {
    this.#unmeasure();
    for (const breaker of this.#breakers.values()) breaker.shutdown();
  }

  #breakerOf(owner: ServiceName): CircuitBreaker<Ask, OperationReply> {
    const known = this.#breakers.get(owner);
    if (known !== undefined) return known;
    const { bus, clock, log } = this.#options;
    const breaker = new CircuitBreaker<Ask, OperationReply>(ask(bus, clock), {
      name: owner,
      timeout: false,
      resetTimeout: restMs,
      volumeThreshold: 10,
      errorThresholdPercentage: 50,
      rollingPercentilesEnabled: false,
      errorFilter: (error: unknown) => !(error instanceof Late),
    });
    breaker.on('open', () => log.warn('owner does not answer: its requests are refused for a while', { owner }));
    breaker.on('close', () => log.info('owner answers again', { owner }));
    this.#breakers.set(owner, breaker);
    return breaker;
  }
}

/** A request that waited until its deadline. */
class Late extends Error {
  override readonly cause: Refused;

  constructor(cause: Refused) {
    super(cause.message);
    this.name = 'Late';
    this.cause = cause;
  }
}

const ask =
  (bus: OperationBus, clock: Clock) =>
  async (operation: string, request: OperationRequest): Promise<OperationReply> => {
    try {
      return await bus.request(operation, request);
    } catch (error) {
      const isLate =
        error instanceof Refused && error.code === 'SERVICE_UNAVAILABLE' && clock.now() >= request.deadline;
      throw isLate ? new Late(error) : error;
    }
  };
