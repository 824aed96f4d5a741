/** Fault of one field. */
export interface Fault {
  /** Dotted: `to`, `messages.0.to`, `query.limit`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Kind of a problem with a request. `refused`: the API's envelope; `limit`: the daily limit of a profile; `demo`: the
 * installation is a demonstration; `foreign`: an answer that is none of the API's; `unreachable`: no answer.
 */
export type ProblemKind = 'refused' | 'limit' | 'demo' | 'foreign' | 'unreachable';

interface Given {
  readonly kind: ProblemKind;
  readonly status: number;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly details?: unknown;
  /** Seconds after which it may be tried again. */
  readonly retryAfter?: number | undefined;
  /** With `limit`: when the count begins anew, ISO 8601. */
  readonly resetAt?: string | undefined;
  /** The route's demand: a permission, or `own`. */
  readonly access?: string | undefined;
}

export class Problem extends Error {
  /** When it was met: milliseconds of `performance.now()`. */
  readonly at = performance.now();
  readonly kind: ProblemKind;
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly details: unknown;
  readonly retryAfter: number | undefined;
  readonly resetAt: string | undefined;
  readonly access: string | undefined;

  constructor(message: string, given: Given) {
    super(message);
    this.name = 'Problem';
    this.kind = given.kind;
    this.status = given.status;
    this.code = given.code;
    this.requestId = given.requestId;
    this.details = given.details;
    this.retryAfter = given.retryAfter;
    this.resetAt = given.resetAt;
    this.access = given.access;
  }

  /** Faults by field, where the API named them. */
  get faults(): readonly Fault[] {
    return Array.isArray(this.details) ? this.details.filter(isFault) : [];
  }

  /** Whether the problem may pass by itself: no answer, a part that is away, too much asked. */
  get passing(): boolean {
    return this.kind === 'unreachable' || this.kind === 'foreign' || [429, 502, 503, 504].includes(this.status);
  }

  /** Whether nobody knows if the request was carried out: the same Idempotency-Key must be used again. */
  get unsure(): boolean {
    return this.kind === 'unreachable' || this.status >= 500;
  }
}

const isFault = (value: unknown): value is Fault =>
  typeof (value as Partial<Fault> | null)?.path === 'string' && typeof (value as Partial<Fault>).message === 'string';

interface Envelope {
  readonly success?: unknown;
  readonly error?: unknown;
  readonly message?: unknown;
  readonly demoMode?: unknown;
  readonly resetAt?: unknown;
}

/** The least of an answer that is needed; `Response` has it. */
export interface Answered {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/**
 * The problem that an answer tells: the API has the envelope, the daily limit and the demo mode; what else comes (a
 * proxy's page) is foreign.
 */
export function problemOf({ status, headers }: Answered, text: string, access: string): Problem {
  const body = jsonOf(text);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const given = {
    status,
    access,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  };
  if (body?.demoMode === true) return new Problem(String(body.message), { ...given, kind: 'demo' });
  if (body?.error === 'DAILY_LIMIT_REACHED')
    return new Problem('', { ...given, kind: 'limit', code: body.error, resetAt: String(body.resetAt) });
  const error = body?.error as Readonly<Record<string, unknown>> | undefined;
  if (body?.success === false && typeof error?.['message'] === 'string')
    return new Problem(error['message'], {
      ...given,
      kind: 'refused',
      code: String(error['code']),
      requestId: typeof error['requestId'] === 'string' ? error['requestId'] : given.requestId,
      details: error['details'],
    });
  return new Problem('', { ...given, kind: 'foreign', requestId: undefined });
}

function jsonOf(text: string): Envelope | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
