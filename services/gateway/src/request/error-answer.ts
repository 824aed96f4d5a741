import { errorCodes, mostFaults, type ErrorCode } from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { isUnavailable } from '@messaging-gateway/runtime';

/** An error as it is answered. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** The body of an error (`docs/errors.md`), or the one that has a form of its own: the daily limit. */
export function errorAnswer(refused: Refused, requestId: string): ErrorAnswer {
  const { code, message, details } = refused;
  const status = statusOfRefused(refused);
  const headers = {
    ...(status === 503 && { 'Retry-After': '2' }),
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...refused.headers,
  };
  if (code === 'DAILY_LIMIT_REACHED') {
    const { limit, count, resetAt } = details as { limit: number; count: number; resetAt: string };
    return { status, headers, body: { error: code, limit, count, resetAt } };
  }
  return {
    status,
    headers,
    body: { success: false, error: { code, message: clipped(message), ...shownDetails(code, details), requestId } },
  };
}

/** Faults by field, which message it is about, where its profile stands, how it is restricted, or which quota; what services tell each other with a refusal stays inside. */
function shownDetails(code: ErrorCode, details: unknown): { details?: unknown } {
  if (Array.isArray(details)) return { details: bounded(details) };
  const { messageId, reason, quota, limit, status, statusReason, type, until } = (details ?? {}) as Readonly<
    Record<string, unknown>
  >;
  if (quota !== undefined) return { details: { quota, limit } };
  if (code === 'PROFILE_NOT_CONNECTED' && status !== undefined) return { details: { status, statusReason } };
  if (code === 'PROFILE_RESTRICTED') return { details: { type, until, ...(messageId !== undefined && { messageId }) } };
  if (messageId === undefined) return {};
  return { details: { messageId, ...(reason !== undefined && { reason }) } };
}

/**
 * Characters of one sentence, and bytes of all details of an answer, at most: what is told may be the client's own
 * words.
 */
const longestSentence = 1_000;
const mostBytes = 32 * 1024;

const clipped = (text: string): string => (text.length > longestSentence ? `${text.slice(0, longestSentence)}…` : text);

/** As many as there is room for. */
function bounded(details: readonly unknown[]): unknown[] {
  let bytes = 0;
  const told: unknown[] = [];
  for (const detail of details.slice(0, mostFaults)) {
    const short = JSON.stringify(detail, (_name, part: unknown) => (typeof part === 'string' ? clipped(part) : part));
    bytes += Buffer.byteLength(short);
    if (bytes > mostBytes) break;
    told.push(JSON.parse(short));
  }
  return told;
}

/** Every error as a broken rule: what nobody foresaw is `INTERNAL_ERROR`, and its text stays inside. */
export function refusedOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  if (isUnavailable(error)) return new Refused('SERVICE_UNAVAILABLE', 'A part that is needed is not there now.');
  if (error instanceof URIError) return new Refused('NOT_FOUND', 'There is no such path.');
  const { type = '', status } = (error ?? {}) as { type?: string; status?: number };
  const ofBody = bodyErrors[type] ?? (status === 400 ? notUnpacked : undefined);
  return ofBody?.() ?? new Refused('INTERNAL_ERROR', 'Something failed that you cannot mend.');
}

/** The HTTP status that an error is answered with. */
export const statusOf = (error: unknown): number => statusOfRefused(refusedOf(error));

/** Status of the error's code; a provider of AI that hangs has another one than one that fails. */
const statusOfRefused = ({ code, details }: Refused): number =>
  code === 'AI_PROVIDER_FAILED' && (details as { hangs?: unknown } | undefined)?.hangs === true
    ? 504
    : errorCodes[code].status;

export const notUtf8 = (): Refused => new Refused('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON in UTF-8.');

/** Of a text that is a body or a file itself: spreadsheets write other encodings unless they are told. */
export const notUtf8Text = (): Refused =>
  invalid([{ path: 'body', message: 'must be UTF-8; spreadsheets save it as "CSV UTF-8"' }]);

/** Said before the body is read, or when more came than was announced. */
export const tooLarge = (): Refused =>
  new Refused('PAYLOAD_TOO_LARGE', 'The body is larger than this route takes.', undefined, { Connection: 'close' });

const notJson = (): Refused => invalid([{ path: 'body', message: 'is not valid JSON' }]);

/** The parser passes on what went wrong while unpacking a body, with a status and no type. */
const notUnpacked = (): Refused =>
  invalid([{ path: 'headers.content-encoding', message: 'is not how the body is packed' }]);

/** Errors of Express' body parser, by their `type`. */
const bodyErrors: Readonly<Record<string, () => Refused>> = {
  'entity.too.large': tooLarge,
  'entity.parse.failed': notJson,
  'request.size.invalid': notJson,
  'request.aborted': notJson,
  'encoding.unsupported': notUtf8,
  'charset.unsupported': notUtf8,
};
