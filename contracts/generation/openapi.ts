import { errorCodes, tags, type ErrorCode, type EventContract, type Operation } from '../src/index.ts';
import { howToBegin } from './how-to-begin.ts';
import type { Json } from './json-schema.ts';
import { NamedSchemas } from './named-schemas.ts';
import { byCookie, commonParameters, components, errorSchemas } from './openapi-components.ts';
import { shareExamples } from './openapi-examples.ts';
import { Failures } from './openapi-failures.ts';
import { operationObject, type Shared } from './openapi-operation.ts';
import { sharedParameters } from './openapi-parameters.ts';
import { anyEvent, eventSchemas, webhooks } from './openapi-webhooks.ts';

/** The OpenAPI 3.1 document of the REST API and of the events that webhooks are told. */
export function openApiDocument(operations: readonly Operation[], events: readonly EventContract[]): Json {
  const byPath = Map.groupBy(operations, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  const schemas = new NamedSchemas({ ...errorSchemas, Event: anyEvent(events) });
  const failures = new Failures();
  const parameters = sharedParameters(operations, schemas);
  const shared = { schemas, failures, parameters };
  const paths = [...byPath].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const told = eventSchemas(events, schemas);
  const items = Object.fromEntries(paths.map(([path, here]) => [path, pathItem(here, shared)]));
  const ofAnswers = shareExamples(items);
  const { examples, ...others } = components(failures.codes());
  return {
    openapi: '3.1.0',
    info: {
      title: 'Messaging Gateway',
      version: '1.0.0',
      description: howToBegin,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This installation' }],
    externalDocs: { url: '/api/asyncapi.json', description: 'The same events on Kafka and webhooks, as AsyncAPI 3.0' },
    tags: tagsOf(operations),
    security: [{ accessToken: [] }, { apiKey: [] }, byCookie],
    paths: items,
    webhooks: webhooks(events),
    components: {
      ...others,
      examples: { ...(examples as Json), ...ofAnswers },
      parameters: { ...commonParameters, ...parameters },
      responses: failures.all(),
      schemas: { ...schemas.all(), ...told },
    },
  };
}

/** Groups that routes are in, in the order of the documentation. */
const tagsOf = (operations: readonly Operation[]): Json[] =>
  Object.entries(tags)
    .filter(([name]) => operations.some(({ tag }) => tag === name))
    .map(([name, means]) => ({ name, description: means }));

const pathItem = (operations: readonly Operation[], shared: Shared): Json =>
  Object.fromEntries(
    operations.map((operation) => [operation.method.toLowerCase(), operationObject(operation, shared)]),
  );

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
