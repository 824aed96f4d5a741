import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startGatewayProcess, type GatewayProcess } from '@messaging-gateway/testing';
import { copyProject, type CopiedProject } from './copied-project.ts';

const contract = `
import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed, Id } from '../../shapes.ts';

const greeting = { id: '0198c0de-0000-7000-8000-000000000001', text: 'Hello Ada' };

export const Greet = operation({
  name: 'Greet',
  owner: 'greetings',
  method: 'POST',
  path: '/greetings',
  access: 'own',
  tag: 'Greetings',
  summary: 'Greet somebody',
  means: 'Greets somebody.',
  audit: false,
  body: closed({ name: Type.String({ minLength: 1 }) }),
  answers: { 201: { body: closed({ id: Id, text: Type.String() }), means: 'Greeted.', example: greeting } },
  example: { name: 'Ada' },
});

export const ListGreetings = operation({
  name: 'ListGreetings',
  owner: 'greetings',
  method: 'GET',
  path: '/greetings',
  access: 'own',
  tag: 'Greetings',
  summary: 'Greetings',
  means: 'All greetings of the organization.',
  answers: {
    200: {
      body: closed({ items: Type.Array(closed({ id: Id, text: Type.String() })) }),
      means: 'Greetings.',
      example: { items: [greeting] },
    },
  },
});
`;

const feature = `
import { Greet, ListGreetings } from '@messaging-gateway/contracts';
import { view, type StreamType } from '@messaging-gateway/event-sourcing';
import { feature, operation, type ServiceTools } from '@messaging-gateway/service';
import type { GreetingsSettings } from '../config.ts';

type Greeted = { type: 'Greeted'; data: { text: string } };
const greetingStream: StreamType<null, string, Greeted> = {
  name: 'greeting',
  decider: {
    initial: null,
    decide: (text) => [{ type: 'Greeted', data: { text } }],
    evolve: (state) => state,
  },
  events: { Greeted: { version: 1 } },
};

export const greetings = feature({
  name: 'greetings',
  streams: [greetingStream],
  migrations: [
    {
      name: '0001-greetings',
      sql: 'CREATE TABLE {schema}.greetings (id uuid PRIMARY KEY, organization_id uuid NOT NULL, text text NOT NULL)',
    },
  ],
  views: [
    view({
      name: 'greetings',
      of: greetingStream,
      on: ['Greeted'],
      rows: (events) =>
        events.map(({ stream, data, metadata }) => ({
          id: stream.slice('greeting-'.length),
          organizationId: metadata.organizationId,
          text: data.text,
        })),
      sql: "INSERT INTO {schema}.greetings (id, organization_id, text) SELECT (row->>'id')::uuid, (row->>'organizationId')::uuid, row->>'text' FROM {rows}",
    }),
  ],
  connect: ({ settings, store, sql }: ServiceTools<GreetingsSettings>) => ({
    rows: [
      operation(Greet, async ({ body, caller: { organizationId }, context }) => {
        const text = settings.greeting + ' ' + body.name;
        const metadata = { organizationId, subject: 'organization:' + organizationId };
        await store.handle(greetingStream, context.resourceId, text, { metadata, onAppended: context.appended });
        return { id: context.resourceId, text };
      }),
      operation(ListGreetings, async ({ caller }) => ({
        items: await sql.query('SELECT id, text FROM greetings WHERE organization_id = $1', [caller.organizationId]),
      })),
    ],
  }),
});
`;

const config = `
import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';

export const greetingsSettings = {
  greeting: { variable: 'GREETING', byDefault: 'Hello', means: 'How people are greeted.', read: setting.text('Hello') },
} as const satisfies Record<string, Setting<unknown>>;
export type GreetingsSettings = SettingsOf<typeof greetingsSettings>;
`;

const service = `
import { service } from '@messaging-gateway/service';
import type { GreetingsSettings } from './config.ts';
import { greetings } from './greetings/feature.ts';

export const greetingsService = service<GreetingsSettings>('greetings', { features: [greetings] });
`;

const main = `
import { begin } from '@messaging-gateway/service/beginning';

begin();
const { rowOf } = await import('../../registry.ts');
await rowOf('greetings').runAlone();
`;

const row = `
  service('greetings', {
    port: 3199,
    settings: greetingsSettings,
    module: async () => (await import('./greetings/src/service.ts')).greetingsService,
  }),`;

describe('a new service', () => {
  let project: CopiedProject;
  let gateway: GatewayProcess | undefined;

  beforeAll(() => {
    project = copyProject();
    project.add('services/greetings/src/service.ts', service);
    project.add('services/greetings/src/config.ts', config);
    project.add('services/greetings/src/main.ts', main);
    project.add('services/greetings/src/greetings/feature.ts', feature);
    project.add('services/greetings/package.json', '{ "name": "@messaging-gateway/greetings", "type": "module" }');
    project.add('contracts/src/operations/greetings/index.ts', contract);
    project.insert(
      'contracts/src/operations/index.ts',
      `export * from './gateway/index.ts';\n`,
      `export * from './greetings/index.ts';\n`,
    );
    project.insert('contracts/src/services.ts', `'insights'`, `, 'greetings'`);
    project.insert('services/registry.ts', 'export const registry = [', row);
    project.insert(
      'services/registry.ts',
      `from './gateway/src/config.ts';\n`,
      `import { greetingsSettings } from './greetings/src/config.ts';\n`,
    );
  });
  afterAll(async () => {
    await gateway?.stop();
    project.remove();
  });

  it('is its folder, its contracts and one row: it answers beside the others, with its own schema and settings', async () => {
    const settings = { DATA_DIR: join(project.root, 'data'), RATE_LIMIT_GLOBAL: 'off', GREETING: 'Good day' };
    gateway = await startGatewayProcess(settings, project.root);
    const account = { email: 'ada@example.org', password: 'Correct-horse-7-battery', name: 'Ada' };
    const registered = await gateway.call<{ accessToken: string }>('POST', '/auth/register', account);
    const as = { credential: registered.body.accessToken };
    expect(await gateway.call('POST', '/greetings', { name: 'Ada' }, as)).toMatchObject({
      status: 201,
      body: { text: 'Good day Ada' },
    });
    expect(await gateway.call('GET', '/greetings', undefined, as)).toMatchObject({
      status: 200,
      body: { items: [{ text: 'Good day Ada' }] },
    });
    expect(await gateway.call('POST', '/greetings', {}, as)).toMatchObject({ status: 400 });
    expect(await gateway.call('GET', '/greetings')).toMatchObject({ status: 401 });
  }, 300_000);

  it('is in the lists that are made of the registry', () => {
    const derived = `
      import { Readiness } from './contracts/src/operations/gateway/health.ts';
      import { configurationTable } from './tools/configuration-table.ts';
      import { planOf } from './tools/distributed/plan.ts';
      import { schemas } from './services/standalone/src/services.ts';
      const secrets = {
        JWT_SECRET: 'q8ZtV3mK1xR7bN5wY9cF2hJ6sD4gL0pE',
        JWT_REFRESH_SECRET: 'T6uI2oP9aS4dF7gH1jK5lZ8xC3vB0nM.',
        ENCRYPTION_KEY: 'W1eR5tY9uI3oP7aS2dF6gH0jK4lZ8xC-',
      };
      const servers = { DATABASE_URL: 'postgresql://localhost/x', CACHE_URL: 'redis://localhost', AMQP_URL: 'amqp://localhost', KAFKA_BROKERS: 'localhost:9092' };
      const plan = planOf({ replicas: 1, simulator: false }, { ...secrets, ...servers, ENGINE_HOST: 'worker', SESSIONS_DIR: 'x' });
      const started = plan.find(({ name }) => name === 'greetings');
      process.stdout.write(JSON.stringify({
        ready: Object.keys(Readiness.properties.services.properties),
        table: configurationTable(),
        health: started?.environment.HEALTH_PORT,
        schemas,
      }));
      process.exit(0);`;
    const output = execFileSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', derived],
      { cwd: project.root, encoding: 'utf8' },
    );
    const lists = JSON.parse(output) as { ready: string[]; table: string; health: string; schemas: string[] };
    expect(lists.ready).toContain('greetings');
    expect(lists.table).toMatch(/\| `GREETING` \| Hello \| How people are greeted\. \|/);
    expect(lists.table).toContain('3199 greetings');
    expect(lists.health).toBe('3199');
    expect(lists.schemas).toContain('greetings');
  });
});
