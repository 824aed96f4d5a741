import { errorCodes, type ErrorCode } from '../src/index.ts';
import type { Json } from './json-schema.ts';

const requestId = '0198c0de-7a6b-4c5d-8e9f-000000000001';
const text = (description: string, example?: string): Json => ({
  description,
  schema: { type: 'string' },
  ...(example !== undefined && { example }),
});
const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** The body of an error as an example (`docs/errors.md`). */
export const errorExample = (code: ErrorCode): Json => ({
  success: false,
  error: {
    code,
    message: errorCodes[code].means,
    ...(code === 'VALIDATION_ERROR' && { details: [{ path: 'body.to', message: 'is required' }] }),
    requestId,
  },
});

export const dailyLimitExample = {
  error: 'DAILY_LIMIT_REACHED',
  limit: 100,
  count: 100,
  resetAt: '2026-01-02T00:00:00+07:00',
};
export const demoModeExample = {
  statusCode: 403,
  error: 'Demo Mode',
  message: 'This action is disabled in demo mode.',
  demoMode: true,
};

const schemas = {
  Error: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { const: false },
      error: {
        type: 'object',
        required: ['code', 'message', 'requestId'],
        properties: {
          code: { type: 'string', enum: Object.keys(errorCodes) },
          message: { type: 'string', description: 'One sentence for people' },
          details: {
            description: 'What is wrong, by field; or which message an error of sending is about',
            anyOf: [
              {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['path', 'message'],
                  properties: { path: { type: 'string' }, message: { type: 'string' } },
                },
              },
              {
                type: 'object',
                required: ['messageId'],
                properties: { messageId: { type: 'string' }, reason: { type: 'string' } },
                additionalProperties: false,
              },
            ],
          },
          requestId: { type: 'string' },
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
      error: { const: 'DAILY_LIMIT_REACHED' },
      limit: { type: 'integer' },
      count: { type: 'integer', description: 'Sent and reserved' },
      resetAt: { type: 'string', format: 'date-time', description: 'ISO 8601 with the offset +07:00' },
    },
    additionalProperties: false,
  },
  DemoMode: {
    type: 'object',
    required: ['statusCode', 'error', 'message', 'demoMode'],
    properties: {
      statusCode: { const: 403 },
      error: { const: 'Demo Mode' },
      message: { type: 'string' },
      demoMode: { const: true },
    },
    additionalProperties: false,
  },
} as const;

/** The components that all operations share. */
export const components = (): Json => ({
  securitySchemes: {
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `accessToken` of register, login and refresh',
    },
    apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key of `POST /api-keys`' },
  },
  parameters: {
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
    LastEventId: {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'With `Accept: text/event-stream`: go on after this event',
      schema: { type: 'string' },
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
  schemas,
});

export const headerRefs = {
  'X-Request-Id': ref('headers', 'RequestId'),
  RateLimit: ref('headers', 'RateLimit'),
  'RateLimit-Policy': ref('headers', 'RateLimitPolicy'),
};
export const retryAfter = { 'Retry-After': ref('headers', 'RetryAfter') };
export const idempotencyReplayed = { 'Idempotency-Replayed': ref('headers', 'IdempotencyReplayed') };
export const parameterRef = (name: 'RequestId' | 'IdempotencyKey' | 'LastEventId'): Json => ref('parameters', name);
export const schemaRef = (name: keyof typeof schemas): Json => ref('schemas', name);
