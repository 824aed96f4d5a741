import type { ErrorCode, EventMark, Fault } from '@messaging-gateway/contracts';
import { isUnavailable } from '@messaging-gateway/runtime';

/** A broken rule: a code of `docs/errors.md` and a sentence for the caller. Crosses the bus with all its fields. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Events that the request raised before it was refused. */
  readonly raised: readonly EventMark[] | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details?: unknown,
    headers?: Readonly<Record<string, string>>,
    raised?: readonly EventMark[],
  ) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.details = details;
    this.headers = headers;
    this.raised = raised;
  }
}

/** Whether nobody was there to answer: the same, asked again, may be answered. */
export const isAway = (error: unknown): error is Refused =>
  error instanceof Refused && error.code === 'SERVICE_UNAVAILABLE';

/** Whether a part that is needed was away, the database or another service: tried again, the same may get through. */
export const isForNow = (error: unknown): boolean => isUnavailable(error) || isAway(error);

/** Whether somebody has refused it: the same, asked again, would be refused again. */
export const isRefusal = (error: unknown): error is Refused => error instanceof Refused && !isAway(error);

/** An input that is not what it must be: one sentence that names the first fault, all of them in the details. */
export function invalid(faults: readonly Fault[]): Refused {
  const [first] = faults;
  return new Refused('VALIDATION_ERROR', sentence(`${first?.path} ${first?.message}`), faults);
}

const sentence = (words: string): string => (words.endsWith('?') ? words : `${words}.`);

/** The refusal of a request that found nobody, or no answer. */
export const unavailable = (operation: string, why: string, details?: unknown): Refused =>
  new Refused('SERVICE_UNAVAILABLE', `${operation} ${why}.`, details, { 'Retry-After': '1' });

/**
 * The refusal to an organization that has as much of something as the operator allows.
 *
 * @param quota what there is enough of, as words: `contacts`
 */
export const quotaReached = (quota: string, limit: number): Refused =>
  new Refused('QUOTA_REACHED', `An organization has ${limit} ${quota} here at most.`, { quota, limit });
