import { Type, type TObject, type TSchema } from 'typebox';
import { Timestamp, closed, keyLimitWords, type Answer, type Operation, type PagesSpec } from '../src/index.ts';
import type { Json } from './json-schema.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { byCookie, idempotencyReplayed, requestIdHeader } from './openapi-components.ts';
import type { Failures } from './openapi-failures.ts';
import { parametersOf } from './openapi-parameters.ts';

/** Parts of the document that operations share. */
export interface Shared {
  readonly schemas: NamedSchemas;
  readonly failures: Failures;
  readonly parameters: Parameters<typeof parametersOf>[2];
}

/** One operation of the OpenAPI document. */
export function operationObject(operation: Operation, shared: Shared): Json {
  const { name, tag, summary, access, body, bodyOptional, browserSession, example } = operation;
  const content =
    operation.untouched !== undefined
      ? { 'application/json': { schema: { type: 'object', description: 'As it comes' } } }
      : operation.upload === undefined
        ? body && {
            'application/json': {
              schema: shared.schemas.placed(body, `${name}Request`),
              ...(example !== undefined && { example }),
            },
            ...ofItself(operation),
            ...asForm(operation, shared.schemas),
          }
        : { 'multipart/form-data': { schema: formOf(operation.upload, body, shared.schemas) } };
  return {
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    ...(access === 'public' && {
      security: operation.tokenIn === undefined ? [] : [{ [`${operation.tokenIn}InQuery`]: [] }],
    }),
    ...(access === 'own:write' && { security: [{ accessToken: [] }, byCookie] }),
    ...(access !== 'public' && !access.startsWith('own') && { 'x-permission': access }),
    parameters: parametersOf(operation, shared.schemas, shared.parameters),
    ...(content && { requestBody: { required: bodyOptional !== true && browserSession !== 'renews', content } }),
    responses: { ...successes(operation, shared.schemas), ...shared.failures.of(operation) },
  };
}

/** One file, in this field. */
const fileIn = (field: string) => ({
  type: 'object',
  required: [field],
  properties: { [field]: { type: 'string', format: 'binary', description: 'The file itself' } },
  additionalProperties: false,
});

/** A file in this field, and beside it the other fields of the body. */
function formOf(field: string, body: TSchema | undefined, schemas: NamedSchemas): Json {
  const { [field]: _file, ...others } = (body as TObject | undefined)?.properties ?? {};
  const { properties, required = [] } = schemas.placed(closed(others)) as { properties?: Json; required?: string[] };
  const file = fileIn(field);
  return {
    ...file,
    required: [...file.required, ...required],
    properties: { ...file.properties, ...properties },
  };
}

/** The text that may come as a body of its own. */
const ofItself = ({ pieces }: Operation): Json =>
  pieces?.contentType === undefined ? {} : { [pieces.contentType]: { schema: { type: 'string' } } };

/** The text that may come as a file of a form, with the other fields of the body beside it. */
function asForm({ body, pieces }: Operation, schemas: NamedSchemas): Json {
  if (pieces?.fileField === undefined || body === undefined) return {};
  const { [pieces.field]: _text, ...others } = (body as TObject).properties;
  return { 'multipart/form-data': { schema: formOf(pieces.fileField, closed(others), schemas) } };
}

const needs: Readonly<Record<string, string>> = {
  public: 'Needs no credential.',
  own: 'Needs a credential, but no permission.',
  'own:write': 'Needs an access token, or the session of a browser; an API key is refused with 403.',
};
const descriptionOf = ({ means, access, tokenIn, refusesKeysLimitedIn = [] }: Operation): string => {
  const limits = refusesKeysLimitedIn.map((limit) => keyLimitWords[limit]).join(' or ');
  const refused = limits === '' ? '' : ` An API key that is limited ${limits} is refused with 403.`;
  const credential = tokenIn === undefined ? needs[access] : `Needs the \`${tokenIn}\` of its own.`;
  return `${means}\n\n${credential ?? `Needs the permission \`${access}\`.`}${refused}`;
};

function successes(operation: Operation, schemas: NamedSchemas): Json {
  // Those of throttles stand with the refusals: all answers have them.
  const headers = { ...requestIdHeader, ...(operation.method === 'POST' && idempotencyReplayed) };
  return Object.fromEntries(
    Object.entries(operation.answers).flatMap(([status, answer]) => [
      [status, { description: answer.means, headers, ...contentOf(operation, answer, schemas) }],
      ...(answer.streamed === true
        ? [
            [
              '206',
              { description: 'The range that was asked for.', headers, ...contentOf(operation, answer, schemas) },
            ],
            ['304', { description: 'The client has it already.', headers }],
          ]
        : []),
    ]),
  );
}

function contentOf(operation: Operation, answer: Answer, schemas: NamedSchemas): Json {
  const { stream, pages, qrField } = operation;
  const { body, envelope, example, streamed } = answer;
  if (body === undefined) return {};
  if (pages !== undefined)
    return { content: { [pages.contentType]: { schema: documentOf(operation, pages, schemas) } } };
  if (streamed === true) return { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };
  const shown = example !== undefined && { example: envelope === 'data' ? inEnvelope(example) : example };
  const placed = schemas.placed(envelope === 'data' ? inDataEnvelope(body) : body, `${operation.name}Answer`);
  return {
    content: {
      'application/json': { schema: placed, ...shown },
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

const documentOf = ({ name }: Operation, { document }: PagesSpec, schemas: NamedSchemas): Json =>
  document === undefined ? { type: 'string' } : schemas.placed(document, `${name}Document`);

const inEnvelope = (data: unknown): Json => ({ success: true, data, meta: { timestamp: '2026-01-01T00:00:00.000Z' } });

/** A body in the envelope that answers of sends have. */
const inDataEnvelope = (body: TSchema): TSchema =>
  closed(
    {
      success: Type.Literal(true),
      data: { ...body, description: 'What was asked for' },
      meta: closed({ timestamp: { ...Timestamp, description: 'When it was answered' } }),
    },
    { ...('title' in body && { title: `${String(body.title)}Envelope` }) },
  );
