/** Error codes of the API with their HTTP status and meaning. `docs/errors.md` is generated from this table. */
export const errorCodes = {
  VALIDATION_ERROR: {
    status: 400,
    means: 'A field is missing, unknown or malformed: the message names the first one, `details` all.',
  },
  UNAUTHORIZED: { status: 401, means: 'The credential is missing, wrong, expired or revoked.' },
  FORBIDDEN: {
    status: 403,
    means: 'The credential does not allow this, or the network does not allow it to the profile.',
  },
  NOT_FOUND: { status: 404, means: 'There is no such thing, or it belongs to another organization.' },
  METHOD_NOT_ALLOWED: { status: 405, means: 'The path exists, but not with this method.' },
  CONFLICT: { status: 409, means: 'The state of the resource does not allow this now.' },
  PROFILE_NOT_CONNECTED: {
    status: 409,
    means: 'The profile has no connection to the network now; of a send `details` says `{ status, statusReason }`.',
  },
  PROFILE_RESTRICTED: {
    status: 409,
    means:
      'The network has restricted the account: it may not write to people who have never written to it. `details` says `{ type, until }`; ' +
      'replies to others are sent.',
  },
  QUOTA_REACHED: {
    status: 409,
    means: 'The organization has as much of this as it may; `details` says `{ quota, limit }`.',
  },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, means: 'The first request with this Idempotency-Key is still running.' },
  CURSOR_EXPIRED: { status: 410, means: 'Events after this place are no longer kept: some were missed.' },
  PAYLOAD_TOO_LARGE: { status: 413, means: 'The body is larger than this route takes.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, means: 'The content type is not one that this route takes.' },
  RANGE_NOT_SATISFIABLE: { status: 416, means: 'The range begins behind the end; `Content-Range` says the size.' },
  IDEMPOTENCY_MISMATCH: { status: 422, means: 'The Idempotency-Key was used with another route or body.' },
  RECIPIENT_UNKNOWN: {
    status: 422,
    means: 'The number is not on the network; the message says what is likely wrong with it.',
  },
  MEDIA_UNAVAILABLE: { status: 422, means: 'The media could not be fetched, or no voice note be made of them.' },
  RATE_LIMITED: { status: 429, means: 'Too many requests; `Retry-After` says when to try again.' },
  DAILY_LIMIT_REACHED: { status: 429, means: 'The profile has reached its daily message limit.' },
  AI_BUDGET_EXHAUSTED: {
    status: 429,
    means: 'The organization has fewer AI tokens left in this month than this may need.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    means: 'The path with its query and the headers are larger than 16 KiB together.',
  },
  INTERNAL_ERROR: { status: 500, means: 'Something failed that the caller cannot mend.' },
  ENGINE_UNSUPPORTED: { status: 501, means: 'The engine of the profile cannot do this.' },
  ENGINE_REFUSED: { status: 502, means: 'The network refused the message, or what was to be done.' },
  OTP_DELIVERY_FAILED: { status: 502, means: 'The code reached the recipient on no channel.' },
  AI_PROVIDER_FAILED: {
    status: 502,
    means:
      'The AI provider failed, refused, or answered what cannot be used; with the status 504: it did not answer in time.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    means: 'A part that is needed is not there now; `Retry-After` says when to try again.',
  },
  ENGINE_TIMEOUT: {
    status: 504,
    means: 'The engine did not answer in time; the message is settled later when `details` names it.',
  },
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Codes that any route can answer. */
export const commonErrors = [
  'VALIDATION_ERROR',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];
