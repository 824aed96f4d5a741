import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Type, type TSchema } from 'typebox';
import {
  check,
  closed,
  errorCodes,
  events,
  internalOperations,
  keyLimits,
  operations,
  organizationLimits,
  permissions,
} from '../src/index.ts';
import { openApiDocument } from './openapi.ts';
import { cloudEventExample } from './asyncapi.ts';
import { shapeOf } from './json-schema.ts';

const faults = (where: string, found: readonly { path: string; message: string }[]): string[] =>
  found.map(({ path, message }) => `${where}: ${path} ${message}`);
const sorted = (words: readonly string[]): string => words.toSorted((one, other) => (one < other ? -1 : 1)).join(' ');
const twice = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);

describe('every operation', () => {
  it('has a name and a route of its own', () => {
    expect(twice(operations.map(({ name }) => name))).toEqual([]);
    expect(twice(operations.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`))).toEqual([]);
    expect(twice([...operations, ...internalOperations].map(({ name }) => name))).toEqual([]);
  });

  it('says who may call it, in one line what it does, and more', () => {
    const accesses = new Set<string>(['public', 'own', 'own:write', ...permissions]);
    const silent = operations.filter(
      ({ access, summary, means, tag }) =>
        !accesses.has(access) || !summary || summary.includes('\n') || !means || !tag,
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('keeps API keys from writing under /auth and /account', () => {
    const open = operations.filter(
      ({ method, path, access }) =>
        method !== 'GET' && /^\/(auth|account)\//.test(path) && access !== 'public' && access !== 'own:write',
    );
    expect(open.map(({ name }) => name)).toEqual([]);
  });

  it('that changes the organization, its people or their rights refuses keys that are limited', () => {
    const about = (access: string, ...resources: string[]): boolean => resources.includes(access.split(':')[0] ?? '');
    const writes = operations.filter(({ method }) => method !== 'GET');
    const lax = writes.filter(({ access, refusesKeysLimitedIn = [] }) => {
      const wanted = about(access, 'user', 'role')
        ? keyLimits
        : about(access, 'org', 'settings')
          ? organizationLimits
          : about(access, 'workspace')
            ? (['profiles'] as const)
            : [];
      return wanted.some((limit) => !refusesKeysLimitedIn.includes(limit));
    });
    expect(lax.map(({ name }) => name)).toEqual([]);
  });

  it('describes each parameter of its path', () => {
    const wrong = operations.filter(({ path, params }) => {
      const named = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
      return sorted(named) !== sorted(Object.keys(params?.properties ?? {}));
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('shows an example of its body, which is valid', () => {
    const missing = operations
      .filter(({ body, example }) => body !== undefined && example === undefined)
      .map(({ name }) => `${name} has none`);
    const wrong = operations.flatMap(({ name, body, example }) =>
      body === undefined || example === undefined ? [] : faults(name, check(body, structuredClone(example), 'example')),
    );
    expect([...missing, ...wrong]).toEqual([]);
  });

  it('shows only valid examples of its answers', () => {
    const answers = operations.flatMap(({ name, answers }) =>
      Object.entries(answers).map(([status, answer]) => ({ name: `${name} ${status}`, ...answer })),
    );
    const wrong = answers.flatMap(({ name, body, example }) =>
      body === undefined || example === undefined ? [] : faults(name, check(body, structuredClone(example), 'example')),
    );
    expect(wrong).toEqual([]);
  });

  it('can be read as a stream only when it answers pages and takes the cursor', () => {
    const wrong = operations.filter(
      ({ stream, query }) =>
        stream !== undefined &&
        !(stream.cursorQuery in (query?.properties ?? {}) && stream.waitQuery in (query?.properties ?? {})),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe('compression', () => {
  it('is for lists of what members have made: no credential, no media, no stream, nothing that outsiders write into', () => {
    const marked = operations.filter(({ compressed }) => compressed === true);
    expect(marked.map(({ name }) => name).toSorted()).toEqual([
      'ListAccountProfiles',
      'ListAccounts',
      'ListAuditActions',
      'ListBatches',
      'ListBroadcasts',
      'ListMembers',
      'ListPermissions',
      'ListProfiles',
      'ListRoles',
      'ListWorkspaces',
    ]);
    const wrong = marked.filter(
      ({ method, access, stream, pages, answers }) =>
        method !== 'GET' ||
        access === 'public' ||
        stream !== undefined ||
        pages !== undefined ||
        Object.values(answers).some(({ streamed }) => streamed === true),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe('every event', () => {
  it('has a type and version of its own', () => {
    expect(twice(events.map(({ type, version }) => `${type} ${version}`))).toEqual([]);
  });

  it('shows a valid example', () => {
    expect(
      events.flatMap(({ type, data, example }) => faults(type, check(data, structuredClone(example), 'example'))),
    ).toEqual([]);
  });

  it('is told as a CloudEvent whose data is the event', () => {
    expect(events.every((event) => cloudEventExample(event)['data'] === event.example)).toBe(true);
  });
});

it('every contract is a valid schema: the checks rely on it', () => {
  const schemas = new Map<string, TSchema | undefined>([
    ...operations.flatMap(({ name, params, query, body, answers }) => [
      [`${name} params`, params] as const,
      [`${name} query`, query] as const,
      [`${name} body`, body] as const,
      ...Object.entries(answers).map(([status, answer]) => [`${name} ${status}`, answer.body] as const),
    ]),
    ...internalOperations.flatMap(({ name, body, answer }) => [
      [`${name} body`, body] as const,
      [`${name} answer`, answer] as const,
    ]),
    ...events.map(({ type, version, data }) => [`${type} ${version}`, data] as const),
  ]);
  const ajv = new Ajv({ strict: false, discriminator: true });
  const wrong = [...schemas].filter(([, schema]) => schema !== undefined && !ajv.validateSchema(schema));
  expect(wrong.map(([name]) => name)).toEqual([]);
  expect(schemas.size).toBeGreaterThan(500);
  expect(ajv.validateSchema({ type: 'nothing' })).toBe(false);
});

describe('the OpenAPI document', () => {
  it('names every error code with its status', () => {
    const text = JSON.stringify(openApiDocument(operations, events));
    expect(Object.keys(errorCodes).filter((code) => !text.includes(code))).toEqual([]);
  });
});

it('a frozen shape ignores words for people, but not a field called description', () => {
  const said = (words: string) => closed({ description: Type.String({ description: words }) });
  expect(shapeOf(said('one'))).toEqual(shapeOf(said('other')));
  expect(shapeOf(said('one'))).not.toEqual(shapeOf(closed({})));
});
