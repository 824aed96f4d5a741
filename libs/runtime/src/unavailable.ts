/** A part that is needed is away for now: work is tried again, never given up. */
export class Unavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unavailable';
  }
}

/** SQLSTATEs and system errors that say that the server is away, or lets nobody in, not that the statement is wrong. */
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  '28000',
  '28P01',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '53400',
  '58000',
  '58030',
]);
const awayMessage =
  /^Connection terminated|timeout exceeded when trying to connect|not queryable|pool after calling end/;

interface Cause {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: Cause;
}

/** Whether the error, or one that caused it, says that the database is away for now. */
export function isUnavailable(error: unknown): boolean {
  // By shape, not by class: errors of Node's own modules can come from another realm.
  for (let cause = error as Cause | undefined; typeof cause === 'object' && cause !== null; cause = cause.cause) {
    if (cause instanceof Unavailable) return true;
    const { code, message } = cause;
    if (typeof code === 'string' && (awayCodes.has(code) || /^08\w{3}$/.test(code))) return true;
    if (typeof message === 'string' && awayMessage.test(message)) return true;
  }
  return false;
}

/** The error itself, or `Unavailable` with it as its cause when it says that the database is away. */
export function databaseError(error: unknown): unknown {
  if (error instanceof Unavailable || !isUnavailable(error)) return error;
  return new Unavailable('The database is not available.', { cause: error });
}
