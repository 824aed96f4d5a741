import { errorCodes, type ErrorCode, type Operation } from '../src/index.ts';
import { components } from './openapi-components.ts';
import { operationObject } from './openapi-operation.ts';
import type { Json } from './json-schema.ts';

const description = [
  'A multi-tenant HTTP gateway for sending and receiving messages over linked phone sessions (profiles).',
  '',
  'Every route but the public ones takes an access token (`Authorization: Bearer`) or an API key (`x-api-key`).',
  'Every answer carries `X-Request-Id`. Every POST takes an `Idempotency-Key`: the same key, route and body within',
  '24 hours give the same answer, and nothing is made or sent twice.',
].join('\n');

/** The OpenAPI 3.1 document of the REST API. */
export function openApiDocument(operations: readonly Operation[]): Json {
  const byPath = Map.groupBy(operations, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  const tags = [...new Set(operations.map(({ tag }) => tag))].toSorted();
  return {
    openapi: '3.1.0',
    info: { title: 'Messaging Gateway', version: '1.0.0', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api/v1', description: 'This installation' }],
    tags: tags.map((name) => ({ name, description: `${name}: ${count(operations, name)} operations` })),
    security: [{ accessToken: [] }, { apiKey: [] }],
    paths: Object.fromEntries(
      [...byPath].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([path, here]) => [path, pathItem(here)]),
    ),
    components: components(),
  };
}

const count = (operations: readonly Operation[], tag: string): number =>
  operations.filter((operation) => operation.tag === tag).length;

const pathItem = (operations: readonly Operation[]): Json =>
  Object.fromEntries(operations.map((operation) => [operation.method.toLowerCase(), operationObject(operation)]));

/** `docs/errors.md`. */
export function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, means }]) => `| \`${code as ErrorCode}\` | ${status} | ${means} |`,
  );
  return [
    '# Error codes',
    '',
    'Generated from `contracts/src/errors.ts`. Errors are answered as `{ success: false, error: { code, message, details?, requestId } }`,',
    'except the daily limit (`{ error: "DAILY_LIMIT_REACHED", limit, count, resetAt }`) and demo mode',
    '(`{ statusCode: 403, error: "Demo Mode", message, demoMode: true }`).',
    '',
    '| Code | Status | Meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
