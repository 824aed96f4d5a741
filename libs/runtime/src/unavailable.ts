/** A part that is needed is away for now: work is tried again, never given up. */
export class Unavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unavailable';
  }
}

/** System errors and SQLSTATEs that say that the connection has gone, or was not made: what ran on it may have had its effect. */
const lostCodes = new Set([
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
const lostMessage =
  /^Connection terminated|timeout exceeded when trying to connect|not queryable|pool after calling end|^Query read timeout$/;

/** SQLSTATEs of a statement without effect, for no fault of its own: later, or elsewhere, the same succeeds. */
const notNowCodes = new Set([
  // Read-only: a standby, or a server that protects its disk.
  '25006',
  // Too long idle in a transaction, or in one altogether.
  '25P03',
  '25P04',
  // Rolled back in favour of others.
  '40001',
  '40P01',
  // Disk full, out of memory.
  '53100',
  '53200',
  // Cancelled: too slow, or by an operator.
  '57014',
]);

interface Cause {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: Cause;
}

/** Whether the error, or one that caused it, says that the database is away or cannot do it for now. */
export const isUnavailable = (error: unknown): boolean =>
  isCausedBy(error, (cause) => cause instanceof Unavailable || isOfLoss(cause) || notNowCodes.has(String(cause.code)));

/** Whether the connection was lost, or nothing was heard of the statement: it may have had its effect, or have it yet. */
export const isLost = (error: unknown): boolean => isCausedBy(error, isOfLoss);

const isOfLoss = ({ code, message }: Cause): boolean =>
  (typeof code === 'string' && (lostCodes.has(code) || /^08\w{3}$/.test(code))) ||
  (typeof message === 'string' && lostMessage.test(message));

/** By shape, not by class: errors of Node's own modules can come from another realm. */
function isCausedBy(error: unknown, isSo: (cause: Cause) => boolean): boolean {
  for (let cause = error as Cause | undefined; typeof cause === 'object' && cause !== null; cause = cause.cause)
    if (isSo(cause)) return true;
  return false;
}

/** The error itself, or `Unavailable` with it as its cause when it says that the database is away. */
export function databaseError(error: unknown): unknown {
  if (error instanceof Unavailable || !isUnavailable(error)) return error;
  return new Unavailable(`The database is not available: ${(error as Error).message}`, { cause: error });
}
