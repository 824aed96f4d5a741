import type { TObject } from 'typebox';
import {
  commonErrors,
  errorCodes,
  keyLimitWords,
  type Answer,
  type ErrorCode,
  type Operation,
  type PagesSpec,
} from '../src/index.ts';
import { plain, type Json } from './json-schema.ts';
import {
  dailyLimitExample,
  demoModeExample,
  errorExample,
  headerRefs,
  idempotencyReplayed,
  parameterRef,
  retryAfter,
  schemaRef,
} from './openapi-components.ts';

/** One operation of the OpenAPI document. */
export function operationObject(operation: Operation): Json {
  const { name, tag, summary, access, body, bodyOptional, example } = operation;
  const content =
    operation.upload === undefined
      ? body && {
          'application/json': { schema: plain(body), ...(example !== undefined && { example }) },
          ...ofItself(operation),
        }
      : { 'multipart/form-data': { schema: fileIn(operation.upload) } };
  return {
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    ...(access === 'public' && { security: [] }),
    ...(access === 'own:write' && { security: [{ accessToken: [] }] }),
    ...(access !== 'public' && !access.startsWith('own') && { 'x-permission': access }),
    parameters: parametersOf(operation),
    ...(content && { requestBody: { required: bodyOptional !== true, content } }),
    responses: { ...successes(operation), ...failures(operation) },
  };
}

/** One file, in this field. */
const fileIn = (field: string): Json => ({
  type: 'object',
  required: [field],
  properties: { [field]: { type: 'string', format: 'binary' } },
  additionalProperties: false,
});

/** The text that may come as a body of its own. */
const ofItself = ({ pieces }: Operation): Json =>
  pieces?.contentType === undefined ? {} : { [pieces.contentType]: { schema: { type: 'string' } } };

const needs: Readonly<Record<string, string>> = {
  public: 'Needs no credential.',
  own: 'Needs a credential, but no permission.',
  'own:write': 'Needs an access token; an API key is refused with 403.',
};
const descriptionOf = ({ means, access, refusesKeysLimitedIn = [] }: Operation): string => {
  const limits = refusesKeysLimitedIn.map((limit) => keyLimitWords[limit]).join(' or ');
  const refused = limits === '' ? '' : ` An API key that is limited ${limits} is refused with 403.`;
  return `${means}\n\n${needs[access] ?? `Needs the permission \`${access}\`.`}${refused}`;
};

function parametersOf({ params, query, method, stream }: Operation): Json[] {
  return [
    ...(params === undefined ? [] : fieldsOf(params, 'path')),
    ...(query === undefined ? [] : fieldsOf(query, 'query')),
    parameterRef('RequestId'),
    ...(method === 'POST' ? [parameterRef('IdempotencyKey')] : []),
    ...(stream === undefined ? [] : [parameterRef('LastEventId')]),
  ];
}

function fieldsOf(fields: TObject, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = plain(fields) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function successes(operation: Operation): Json {
  const headers = { ...headerRefs, ...(operation.method === 'POST' && idempotencyReplayed) };
  return Object.fromEntries(
    Object.entries(operation.answers).flatMap(([status, answer]) => [
      [status, { description: answer.means, headers, ...contentOf(operation, answer) }],
      ...(answer.streamed === true
        ? [
            ['206', { description: 'The range that was asked for.', headers, ...contentOf(operation, answer) }],
            ['304', { description: 'The client has it already.', headers }],
          ]
        : []),
    ]),
  );
}

function contentOf({ stream, pages, qrField }: Operation, { body, envelope, example, streamed }: Answer): Json {
  if (body === undefined) return {};
  if (pages !== undefined) return { content: { [pages.contentType]: { schema: documentOf(pages) } } };
  if (streamed === true) return { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };
  const shown = example !== undefined && { example: envelope === 'data' ? inEnvelope(example) : example };
  const schema = envelope === 'data' ? envelopeOf(plain(body)) : plain(body);
  return {
    content: {
      'application/json': { schema, ...shown },
      ...(qrField !== undefined && {
        'image/png': { schema: { type: 'string', format: 'binary' } },
        'text/plain': { schema: { type: 'string', description: 'Characters that a terminal shows as the code' } },
      }),
      ...(stream !== undefined && {
        'text/event-stream': {
          schema: { type: 'string', description: 'One event for each item: `id:` and `data:` lines' },
        },
      }),
    },
  };
}

const documentOf = ({ document }: PagesSpec): Json => (document === undefined ? { type: 'string' } : plain(document));

const inEnvelope = (data: unknown): Json => ({ success: true, data, meta: { timestamp: '2026-01-01T00:00:00.000Z' } });

const envelopeOf = (data: Json): Json => ({
  type: 'object',
  required: ['success', 'data', 'meta'],
  properties: {
    success: { const: true },
    data,
    meta: {
      type: 'object',
      required: ['timestamp'],
      properties: { timestamp: { type: 'string', format: 'date-time' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
});

/** Every code that this route can answer. */
function errorsOf({ access, params, method, answers, errors = [] }: Operation): readonly ErrorCode[] {
  const takesBody = method !== 'GET';
  const codes: ErrorCode[] = [
    ...commonErrors,
    ...(access === 'public' ? [] : (['UNAUTHORIZED', 'FORBIDDEN'] as const)),
    ...(params === undefined ? [] : (['NOT_FOUND'] as const)),
    ...(Object.values(answers).some(({ streamed }) => streamed === true) ? (['RANGE_NOT_SATISFIABLE'] as const) : []),
    ...(takesBody ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(method === 'POST' ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'] as const) : []),
    ...errors,
  ];
  return [...new Set(codes)];
}

function failures(operation: Operation): Json {
  const byStatus = Map.groupBy(errorsOf(operation), (code) => errorCodes[code].status);
  if (operation.method !== 'GET' && operation.allowedInDemo !== true && !byStatus.has(403)) byStatus.set(403, []);
  const own = new Set(Object.keys(operation.answers).map(Number));
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !own.has(status))
      .map(([status, codes]) => [status, failure(operation, status, codes)]),
  );
}

function failure(operation: Operation, status: number, codes: readonly ErrorCode[]): Json {
  const inDemo = status === 403 && operation.method !== 'GET' && operation.allowedInDemo !== true;
  const enveloped = codes.filter((code) => code !== 'DAILY_LIMIT_REACHED');
  const schemas = [
    ...(enveloped.length > 0 ? [schemaRef('Error')] : []),
    ...(codes.includes('DAILY_LIMIT_REACHED') ? [schemaRef('DailyLimitReached')] : []),
    ...(inDemo ? [schemaRef('DemoMode')] : []),
  ];
  const examples = {
    ...Object.fromEntries(enveloped.map((code) => [code, { value: errorExample(code) }])),
    ...(codes.includes('DAILY_LIMIT_REACHED') && { DAILY_LIMIT_REACHED: { value: dailyLimitExample } }),
    ...(inDemo && { DEMO_MODE: { value: demoModeExample } }),
  };
  return {
    description: [
      ...codes.map((code) => errorCodes[code].means),
      ...(inDemo ? ['Demo mode allows no writes.'] : []),
    ].join(' '),
    headers: { ...headerRefs, ...((status === 429 || status === 503) && retryAfter) },
    content: { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas }, examples } },
  };
}
