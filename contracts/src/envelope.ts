/** The caller: filled in by the gateway, trusted by the owners because only the gateway can reach them. */
export interface Caller {
  readonly organizationId: string;
  readonly userId: string;
  /** Absent for a person. */
  readonly apiKeyId?: string;
  /** The session of a person. */
  readonly sessionId?: string;
  readonly permissions: readonly string[];
  /** An API key may be limited to some profiles. Absent: all of the organization. */
  readonly profileIds?: readonly string[];
  readonly ip?: string;
  readonly userAgent?: string;
}

/** An operation on its way from the gateway (or another service) to its owner. JSON only. */
export interface OperationRequest<B = unknown, P = Record<string, string>, Q = Record<string, unknown>> {
  readonly requestId: string;
  /** Absent on public routes and on requests from one service to another that concern no caller. */
  readonly caller?: Caller;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Id for what a POST makes: minted by the gateway, the same for a repeated Idempotency-Key. UUIDv7. */
  readonly resourceId: string;
  /** A repeat: the same Idempotency-Key was used before and its answer is not known: go on with the same resource. */
  readonly repeated?: boolean;
  /** Milliseconds since 1970; the owner refuses work after it. */
  readonly deadline: number;
  readonly traceparent?: string;
  /** Events that the owner must have handled before it begins (it waits for them at most a second). */
  readonly after?: readonly EventMark[];
  readonly ip?: string;
  readonly userAgent?: string;
  /** Where the client reaches the API: `PUBLIC_URL`, else the host that the request was sent to. No slash at its end. */
  readonly publicUrl?: string;
  /** Of an operation with `pieces`: which part of the body this is. */
  readonly piece?: Piece;
  /** Of an operation that is `spoken`: whoever asks wants the answer in pieces; `state` is that of the piece before. */
  readonly speech?: { readonly state?: unknown };
  /** On the way from one service to another: the mark of the request that it is part of, for the audit. */
  readonly audit?: object;
}

/** A part of a body that comes to its owner in pieces. */
export interface Piece {
  readonly isLast: boolean;
  /** State that the owner answered to the piece before; absent with the first one. */
  readonly state?: unknown;
}

/** Names an event that an operation raised, so that later reads can wait until it was handled. */
export interface EventMark {
  readonly id: string;
  /** Absent: nobody knows, so any owner waits for it. */
  readonly type?: string;
  /** How long it may be waited for, milliseconds; default: a second. */
  readonly waitMs?: number;
}

export interface OperationReply<A = unknown> {
  readonly status: number;
  readonly body?: A;
  readonly headers?: Readonly<Record<string, string>>;
  /** Handed back with the next piece of the body, or to be given the next piece of the answer. */
  readonly state?: unknown;
  /** Events that the operation raised. */
  readonly raised?: readonly EventMark[];
}

/** A fact on its way to all consumers. JSON only. */
export interface EventEnvelope<D = unknown> {
  /** UUID, the same at every delivery. */
  readonly id: string;
  readonly type: string;
  readonly version: number;
  /** The service that says it. */
  readonly source: string;
  readonly organizationId: string;
  readonly profileId?: string;
  /** Order is kept per key: the profile, or the resource where there is none. */
  readonly key: string;
  /** Grows per owner and profile in the order of the journal; compare as strings. */
  readonly sequence: string;
  /** ISO 8601. */
  readonly time: string;
  readonly data: D;
  readonly requestId?: string;
  readonly traceparent?: string;
}
