import { randomUUID } from 'node:crypto';
import type { Operation, OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { Refused, type OperationBus, type OperationHandler } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { Request } from 'express';
import { addressOf } from '../access/authenticate.ts';
import type { Input } from '../http/input.ts';
import { inPieces } from '../http/pieces.ts';
import type { RequestState } from '../http/request-state.ts';
import type { OwnerBreakers } from './owner-breakers.ts';
import type { RecentMarks } from './recent-marks.ts';

export interface DispatcherOptions {
  readonly bus: OperationBus;
  readonly clock: Clock;
  readonly marks: RecentMarks;
  readonly breakers: OwnerBreakers;
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

  constructor(options: DispatcherOptions) {
    this.#options = options;
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

  async #ask(operation: Operation, state: RequestState, asked: OperationRequest): Promise<OperationReply> {
    const own = this.#options.own.get(operation.name);
    const reply = await (own === undefined ? this.#options.breakers.request(operation, asked) : own(asked));
    const { caller } = state;
    if (caller !== undefined && reply.raised !== undefined && reply.raised.length > 0) {
      await this.#options.marks.remember(caller.organizationId, reply.raised);
    }
    return reply;
  }

  #requestOf(operation: Operation, request: Request, state: RequestState, input: Input, sent: Sent): OperationRequest {
    const { caller, marks } = state;
    const userAgent = request.headers['user-agent']?.slice(0, 512);
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

/** The refusal of a closed door: try again later. */
export const unavailable = (reason: string, retryAfterSeconds: number): Refused =>
  new Refused('SERVICE_UNAVAILABLE', reason, undefined, { 'Retry-After': String(retryAfterSeconds) });
