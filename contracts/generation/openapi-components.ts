import { errorCodes, sessionCookies, sessionHeader, type ErrorCode } from '../src/index.ts';
import type { Json } from './json-schema.ts';

const requestId = '0198c0de-7a6b-4c5d-8e9f-000000000001';
const text = (description: string, example?: string): Json => ({
  description,
  schema: { type: 'string' },
  ...(example !== undefined && { example }),
});
const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** The body of an error as an example (`docs/errors.md`). */
const errorExample = (code: ErrorCode): Json => ({
  success: false,
  error: {
    code,
    message: code === 'VALIDATION_ERROR' ? 'body.to is required.' : errorCodes[code].means,
    ...(code === 'VALIDATION_ERROR' && { details: [{ path: 'body.to', message: 'is required' }] }),
    requestId,
  },
});

const dailyLimitExample = {
  error: 'DAILY_LIMIT_REACHED',
  limit: 100,
  count: 100,
  resetAt: '2026-01-02T00:00:00+07:00',
};
const demoModeExample = {
  statusCode: 403,
  error: 'Demo Mode',
  message: 'This action is disabled in demo mode.',
  demoMode: true,
};

/** Bodies of errors. */
export const errorSchemas = {
  Error: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { const: false, description: 'Always false' },
      error: {
        type: 'object',
        description: 'What went wrong',
        required: ['code', 'message', 'requestId'],
        properties: {
          code: { type: 'string', description: 'The word for programs', enum: Object.keys(errorCodes) },
          message: { type: 'string', description: 'One sentence for people' },
          details: {
            description: 'What is wrong, by field; or what the error is about',
            anyOf: [
              {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['path', 'message'],
                  properties: {
                    path: { type: 'string', description: 'The field, such as `body.to`' },
                    message: { type: 'string', description: 'What is wrong with it, and what it must look like' },
                    allowed: {
                      type: 'array',
                      items: { type: 'string' },
                      description: 'The words that it may be, where they are many',
                    },
                  },
                },
              },
              {
                type: 'object',
                description: 'Of PROFILE_NOT_CONNECTED',
                required: ['status'],
                properties: {
                  status: { type: 'string', description: 'Where the connection stands' },
                  statusReason: { type: ['string', 'null'], description: 'Why it stands so' },
                },
                additionalProperties: false,
              },
              {
                type: 'object',
                description: 'Of QUOTA_REACHED',
                required: ['quota', 'limit'],
                properties: {
                  quota: { type: 'string', description: 'Of what there is enough' },
                  limit: { type: 'integer', description: 'How much there may be' },
                },
                additionalProperties: false,
              },
              {
                type: 'object',
                required: ['messageId'],
                properties: {
                  messageId: { type: 'string', description: 'The message' },
                  reason: { type: 'string', description: 'Why it was refused' },
                },
                additionalProperties: false,
              },
            ],
          },
          requestId: { type: 'string', description: 'The request, as in `X-Request-Id`' },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  DailyLimitReached: {
    type: 'object',
    required: ['error', 'limit', 'count', 'resetAt'],
    properties: {
      error: { const: 'DAILY_LIMIT_REACHED', description: 'The word for programs' },
      limit: { type: 'integer', description: 'Messages a day' },
      count: { type: 'integer', description: 'Sent and reserved' },
      resetAt: { type: 'string', format: 'date-time', description: 'ISO 8601 with the offset +07:00' },
    },
    additionalProperties: false,
  },
  DemoMode: {
    type: 'object',
    required: ['statusCode', 'error', 'message', 'demoMode'],
    properties: {
      statusCode: { const: 403, description: 'The status of the answer' },
      error: { const: 'Demo Mode', description: 'What it is called' },
      message: { type: 'string', description: 'One sentence for people' },
      demoMode: { const: true, description: 'Always true' },
    },
    additionalProperties: false,
  },
} as const;

/** Headers that may be sent with many requests. */
export const commonParameters: Readonly<Record<string, Json>> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Names this request in the answer, the logs and the events; made when absent',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[!-~]+$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key, route and body within 24 hours give the same answer',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  BrowserSession: {
    name: sessionHeader,
    in: 'header',
    description: 'Keeps the tokens in cookies that no script can read, and out of the answer: for pages in browsers',
    schema: { const: '1' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'With `Accept: text/event-stream`: go on after this event',
    schema: { type: 'string' },
  },
};

/** Bodies of errors as examples, by their code. */
const examples: Json = {
  ...Object.fromEntries(
    Object.keys(errorCodes).map((code) => [code, { summary: code, value: errorExample(code as ErrorCode) }]),
  ),
  DAILY_LIMIT_REACHED: { summary: 'DAILY_LIMIT_REACHED', value: dailyLimitExample },
  DEMO_MODE: { summary: 'Demo mode', value: demoModeExample },
};

/** Components that operations share, beside schemas, answers and parameters. */
export const components = (codes: ReadonlySet<string>): Json => ({
  securitySchemes: {
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `accessToken` of register, login and refresh',
    },
    tokenInQuery: {
      type: 'apiKey',
      in: 'query',
      name: 'token',
      description: 'Stands in `chatwoot.webhookUrl` of `PUT /integrations/config`',
    },
    apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key of `POST /api-keys`' },
    browserSession: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookies.access,
      description:
        `Set by register, login, 2fa/verify and refresh when they are asked with \`${sessionHeader}: 1\`; over TLS its name begins with ` +
        '`__Host-`. Counts only where neither `Authorization` nor `x-api-key` is sent',
    },
    browserSessionHeader: {
      type: 'apiKey',
      in: 'header',
      name: sessionHeader,
      description: '`1`. Only with it a cookie counts for anything but GET',
    },
  },
  headers: {
    RequestId: text('Names this request in the logs and the events', requestId),
    RateLimit: text('What is left of each throttle (draft 8)', '"global"; r=119; t=60'),
    RateLimitPolicy: text('The throttles that apply (draft 8)', '"global"; q=120; w=60'),
    RetryAfter: { description: 'Seconds until another attempt makes sense', schema: { type: 'integer' }, example: 2 },
    IdempotencyReplayed: {
      description: 'The answer was given before to the same Idempotency-Key',
      schema: { const: 'true' },
    },
  },
  examples: Object.fromEntries(Object.entries(examples).filter(([code]) => codes.has(code))),
});

/** The session of a browser, as a requirement. */
export const byCookie = { browserSession: [], browserSessionHeader: [] };

export const requestIdHeader = { 'X-Request-Id': ref('headers', 'RequestId') };
export const headerRefs = {
  ...requestIdHeader,
  RateLimit: ref('headers', 'RateLimit'),
  'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
};
export const retryAfter = { 'Retry-After': ref('headers', 'RetryAfter') };
export const idempotencyReplayed = { 'Idempotency-Replayed': ref('headers', 'IdempotencyReplayed') };
export const schemaRef = (name: keyof typeof errorSchemas): Json => ref('schemas', name);
