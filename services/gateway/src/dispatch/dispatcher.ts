import { randomUUID } from 'node:crypto';
import { TextDecoder } from 'node:util';
import {
  takesAfterEvent,
  type EventMark,
  type Operation,
  type OperationReply,
  type OperationRequest,
  type Piece,
  type PiecesSpec,
} from '@messaging-gateway/contracts';
import { type OperationBus, type OperationHandler, Refused } from '@messaging-gateway/messaging';
import { Breakers, type Cache, type Clock, type Logger, sampledGauge, type Metrics } from '@messaging-gateway/runtime';
import type { Request } from 'express';
import { awaitedEvent } from './awaited-event.ts';
import { notUtf8Text } from '../request/error-answer.ts';
import { addressOf, type Input, publicUrlOf, type RequestState, userAgentOf } from '../request/request-state.ts';

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
  readonly settings: { readonly publicUrl: string | undefined };
}

/** Facts that are sent to the owner beside the input. */
export interface Sent {
  readonly resourceId: string;
  readonly repeated: boolean;
  /** Of an operation that is `spoken` (see `OperationRequest`). */
  readonly speech?: OperationRequest['speech'];
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
    if (operation.pieces === undefined) {
      const asked = this.#requestOf(operation, request, state, input, sent);
      return this.#ask(operation, state, await this.#afterEvent(operation, asked));
    }
    return inPieces(operation.pieces, request, input.body, (body, piece) =>
      this.#ask(operation, state, { ...this.#requestOf(operation, request, state, { ...input, body }, sent), piece }),
    );
  }

  stop(): void {
    this.#breakers.stop();
  }

  async #ask(operation: Operation, state: RequestState, asked: OperationRequest): Promise<OperationReply> {
    const own = this.#options.own.get(operation.name);
    const remember = async (raised: readonly EventMark[] = []): Promise<void> => {
      const { caller } = state;
      if (caller !== undefined && raised.length > 0) await this.#options.marks.remember(caller.organizationId, raised);
    };
    try {
      const reply = await (own === undefined ? this.#breakers.request(operation, asked) : own(asked));
      await remember(reply.raised);
      return reply;
    } catch (error) {
      if (error instanceof Refused) await remember(error.raised);
      throw error;
    }
  }

  /** With the event that the client wants to have been handled, where the operation can wait for one. */
  async #afterEvent(operation: Operation, asked: OperationRequest): Promise<OperationRequest> {
    const { after } = asked.query;
    if (typeof after !== 'string' || !takesAfterEvent(operation.query)) return asked;
    const mark = await awaitedEvent(this.#options, after, asked);
    return mark === undefined ? asked : { ...asked, after: [...(asked.after ?? []), mark] };
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
      ...(sent.speech && { speech: sent.speech }),
      deadline: this.#options.clock.now() + (operation.timeoutMs ?? usualTimeoutMs),
      traceparent: state.traceparent ?? traceOf(request),
      ...(marks !== undefined && marks.length > 0 && { after: marks }),
      ip: addressOf(request),
      publicUrl: publicUrlOf(this.#options.settings, request),
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

/**
 * One circuit breaker for each owner. What opens it is an owner that lets requests wait until their deadline: then the
 * next ones are refused at once instead of piling up behind it. An owner that nobody serves is refused at once by the
 * bus itself, and what an owner refuses is an answer; neither counts.
 */
class OwnerBreakers {
  readonly #breakers: Breakers;
  readonly #options: BreakerOptions;
  readonly #unmeasure: () => void;

  constructor(options: BreakerOptions) {
    const { log, metrics } = options;
    this.#options = options;
    this.#breakers = new Breakers({
      isNoFault: (error) => !(error instanceof Late),
      whenOpen: (restSeconds, owner) => unavailable(`${owner} does not answer now.`, restSeconds),
      onChange: (owner, isOpen) => {
        if (isOpen) log.warn('owner does not answer: its requests are refused for a while', { owner });
        else log.info('owner answers again', { owner });
      },
    });
    const gauge = {
      name: 'gateway_breaker_open',
      help: 'Whether requests to an owner are refused at once, because it let too many wait: 1 or 0',
      labels: ['owner'],
    };
    this.#unmeasure = sampledGauge(metrics, gauge, () =>
      this.#breakers.states.map(({ key: owner, isOpen }) => ({ labels: { owner }, value: Number(isOpen) })),
    );
  }

  async request({ owner, name }: Operation, request: OperationRequest): Promise<OperationReply> {
    try {
      return await this.#breakers.run(owner, () => ask(this.#options, name, request));
    } catch (error) {
      throw error instanceof Late ? error.cause : error;
    }
  }

  stop(): void {
    this.#unmeasure();
    this.#breakers.stop();
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

async function ask({ bus, clock }: BreakerOptions, name: string, request: OperationRequest): Promise<OperationReply> {
  try {
    return await bus.request(name, request);
  } catch (error) {
    const isLate = error instanceof Refused && error.code === 'SERVICE_UNAVAILABLE' && clock.now() >= request.deadline;
    throw isLate ? new Late(error) : error;
  }
}

/** The refusal of a closed door: try again later. */
export const unavailable = (reason: string, retryAfterSeconds: number): Refused =>
  new Refused('SERVICE_UNAVAILABLE', reason, undefined, { 'Retry-After': String(retryAfterSeconds) });

/** Characters of a text, and items of a list, that go out at once. */
const mostCharacters = 256 * 1024;
const mostItems = 1000;
/** Of a body that is streamed, bytes; JSON is read by its own limit. */
const mostBytes = 25 * 1024 * 1024;

const typeOf = (type: string | undefined): string | undefined => type?.split(';')[0]?.trim().toLowerCase();

/** Whether a body of this content type is the text of the operation's field itself. */
export const isTextOf = ({ pieces }: Operation, type: string | undefined): boolean =>
  pieces?.contentType !== undefined && typeOf(type) === pieces.contentType;

type AskWithPiece = (body: unknown, piece: Piece) => Promise<OperationReply>;

/**
 * Asks the owner for one piece of a body after the other; its last answer counts.
 *
 * @param body as it was read; its field is not there yet when the request's body is the text itself
 */
async function inPieces(
  { field, contentType }: PiecesSpec,
  request: Request,
  body: unknown,
  ask: AskWithPiece,
): Promise<OperationReply> {
  const given = body as Record<string, unknown>;
  const isText = contentType !== undefined && typeOf(request.headers['content-type']) === contentType;
  if (!isText) return inParts([given[field]], given, field, ask);
  try {
    return await inParts(textOf(request), given, field, ask);
  } finally {
    request.resume(); // what a refusal left unread would stand in the way of the connection's next request
  }
}

async function inParts(
  parts: AsyncIterable<unknown> | Iterable<unknown>,
  given: Readonly<Record<string, unknown>>,
  field: string,
  ask: AskWithPiece,
): Promise<OperationReply> {
  let reply: OperationReply | undefined;
  // One is held back, since only the end of the body shows which one is the last.
  let held: string | unknown[] = Array.isArray(given[field]) ? [] : ''; // an empty field is a piece too
  const next = async (part: unknown, isLast: boolean): Promise<void> => {
    const piece = { isLast, ...(reply?.state !== undefined && { state: reply.state }) };
    reply = await ask({ ...given, [field]: part }, piece);
  };
  for await (const part of parts) {
    for (const cut of cuts(part)) {
      if (held.length > 0) await next(held, false);
      held = cut;
    }
  }
  await next(held, true);
  if (reply === undefined) throw new Error('No piece was asked for.');
  return reply;
}

function* cuts(part: unknown): Iterable<string | unknown[]> {
  if (Array.isArray(part)) {
    for (let from = 0; from < part.length; from += mostItems) yield part.slice(from, from + mostItems);
    return;
  }
  const text = part as string;
  for (let from = 0; from < text.length;) {
    const until = from + mostCharacters;
    // Never through a character of two units.
    const end = /[\uD800-\uDBFF]/.test(text[until - 1] ?? '') ? until + 1 : until;
    yield text.slice(from, end);
    from = end;
  }
}

/** The text of a body as it comes, in parts worth asking for. @throws Refused PAYLOAD_TOO_LARGE, VALIDATION_ERROR */
async function* textOf(request: Request): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let bytes = 0;
  let text = '';
  // A refusal half way is still to be answered on the same connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Refused('PAYLOAD_TOO_LARGE', 'The body is larger than this route takes.');
    text += decoded(decoder, chunk);
    if (text.length < mostCharacters) continue;
    yield text;
    text = '';
  }
  yield text + decoded(decoder);
}

function decoded(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw notUtf8Text();
  }
}

interface Mark extends EventMark {
  readonly at: number;
}

interface Known {
  readonly marks: readonly Mark[];
  /** The entry of the cache as far as this replica knows. */
  readonly cached: string | undefined;
}

const keptMs = 2000;
const keptMarks = 24;
const keptOrganizations = 10_000;
const nothing: Known = { marks: [], cached: undefined };

/**
 * Events that an organization raised in the last two seconds, so that its next requests wait until they were handled.
 * They are in memory, and other replicas get them through the cache: each passes on what it found there. Of two
 * writes at the same moment the last one wins; a mark that is lost there costs freshness for a moment, never truth.
 */
export class RecentMarks {
  readonly #known = new Map<string, Known>();
  readonly #cache: Cache;
  readonly #clock: Clock;

  constructor(cache: Cache, clock: Clock) {
    this.#cache = cache;
    this.#clock = clock;
  }

  readonly key = (organizationId: string): string => `raised:organization:${organizationId}`;

  async remember(organizationId: string, raised: readonly EventMark[]): Promise<void> {
    const at = this.#clock.now();
    const before = this.#known.get(organizationId) ?? nothing;
    const added = raised.map(({ id, type }) => ({ id, type, at }));
    const marks = [...this.#fresh(before.marks), ...added].slice(-keptMarks);
    const cached = JSON.stringify(marks);
    this.#keep(organizationId, { marks, cached });
    // A cache that is away costs other replicas the freshness, not this one.
    await this.#cache.set(this.key(organizationId), cached, keptMs).catch(() => undefined);
  }

  /** @param cached the value of `key`, read along with the credential */
  recent(organizationId: string, cached: string | undefined): readonly EventMark[] {
    const before = this.#known.get(organizationId) ?? nothing;
    const own = this.#fresh(before.marks);
    const marks = cached === undefined || cached === before.cached ? own : this.#joined(own, cached);
    if (marks.length === 0) this.#known.delete(organizationId);
    else if (marks !== own) this.#keep(organizationId, { marks, cached });
    return marks.map(({ id, type }) => ({ id, type }));
  }

  #joined(own: readonly Mark[], cached: string): readonly Mark[] {
    const ids = new Set(own.map(({ id }) => id));
    const others = this.#fresh(JSON.parse(cached) as Mark[]).filter(({ id }) => !ids.has(id));
    return [...own, ...others].toSorted((one, other) => one.at - other.at).slice(-keptMarks);
  }

  #keep(organizationId: string, known: Known): void {
    if (this.#known.size >= keptOrganizations) this.#known.clear();
    this.#known.set(organizationId, known);
  }

  #fresh(marks: readonly Mark[]): readonly Mark[] {
    const since = this.#clock.now() - keptMs;
    return marks.filter(({ at }) => at >= since);
  }
}
