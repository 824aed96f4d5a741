import { randomUUID } from 'node:crypto';
import type { Operation, OperationReply, OperationRequest, ServiceName } from '@messaging-gateway/contracts';
import { Refused, type OperationBus, type OperationHandler } from '@messaging-gateway/messaging';
import { lookedUp, type Clock, type Logger, type Metrics } from '@messaging-gateway/runtime';
import type { Request } from 'express';
import CircuitBreaker from 'opossum';
import { addressOf, userAgentOf, type Input, type RequestState } from '../request/request-state.ts';
import { inPieces } from './pieces.ts';
import type { RecentMarks } from './recent-marks.ts';

interface BreakerOptions {
  readonly bus: OperationBus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface DispatcherOptions extends BreakerOptions {
  readonly marks: RecentMarks;
  /** Operations that the gateway answers itself, by name. */
  readonly own: ReadonlyMap<string, OperationHandler>;
}

/** Facts that are sent to the owner beside the input. */
export interface Sent {
  readonly resourceId: string;
  readonly repeated: boolean;
}

const usualTimeoutMs = 30_000;
const traceForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Sends an operation to its owner with all that the owner needs to know, and remembers what it raised. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #breakers: OwnerBreakers;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#breakers = new OwnerBreakers(options);
  }

  async send(
    operation: Operation,
    request: Request,
    state: RequestState,
    input: Input,
    sent: Sent,
  ): Promise<OperationReply> {
    if (operation.pieces === undefined)
      return this.#ask(operation, state, this.#requestOf(operation, request, state, input, sent));
    return inPieces(operation.pieces, request, input.body, (body, piece) =>
      this.#ask(operation, state, { ...this.#requestOf(operation, request, state, { ...input, body }, sent), piece }),
    );
  }

  stop(): void {
    this.#breakers.stop();
  }

  async #ask(operation: Operation, state: RequestState, asked: OperationRequest): Promise<OperationReply> {
    const own = this.#options.own.get(operation.name);
    const reply = await (own === undefined ? this.#breakers.request(operation, asked) : own(asked));
    const { caller } = state;
    if (caller !== undefined && reply.raised !== undefined && reply.raised.length > 0) {
      await this.#options.marks.remember(caller.organizationId, reply.raised);
    }
    return reply;
  }

  #requestOf(operation: Operation, request: Request, state: RequestState, input: Input, sent: Sent): OperationRequest {
    const { caller, marks } = state;
    const userAgent = userAgentOf(request);
    return {
      requestId: state.requestId,
      ...(caller !== undefined && { caller }),
      ...input,
      resourceId: sent.resourceId,
      ...(sent.repeated && { repeated: true }),
      deadline: this.#options.clock.now() + (operation.timeoutMs ?? usualTimeoutMs),
      traceparent: state.traceparent ?? traceOf(request),
      ...(marks !== undefined && marks.length > 0 && { after: marks }),
      ip: addressOf(request),
      ...(userAgent !== undefined && { userAgent }),
    };
  }
}

/** The client's trace context, or a new one that nobody records. */
function traceOf(request: Request): string {
  const given = request.headers['traceparent'];
  if (typeof given === 'string' && traceForm.test(given)) return given;
  const hex = (): string => randomUUID().replaceAll('-', ''); // random bytes from a pool: cheaper than single ones
  return `00-${hex()}-${hex().slice(16)}-00`;
}

type Ask = [operation: string, request: OperationRequest];

const restMs = 5000;

/**
 * One circuit breaker for each owner. What opens it is an owner that lets requests wait until their deadline: then the
 * next ones are refused at once instead of piling up behind it. An owner that nobody serves is refused at once by the
 * bus itself, and what an owner refuses is an answer; neither counts.
 */
class OwnerBreakers {
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

/** The refusal of a closed door: try again later. */
export const unavailable = (reason: string, retryAfterSeconds: number): Refused =>
  new Refused('SERVICE_UNAVAILABLE', reason, undefined, { 'Retry-After': String(retryAfterSeconds) });
