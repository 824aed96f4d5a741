import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closed, Count, internal, operation as route, ProfileCreated } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { Type } from 'typebox';
import { v7 } from 'uuid';
import { counter, Increase, Increased } from './counting.fixture.ts';
import { internalOperation, operation, publication, reaction } from './definition.ts';
import type { ServiceModule } from './module.ts';
import { schemaMatches, testCaller, testService, type TestService } from './testing/index.ts';

const ReadSeen = route({
  name: 'ReadSeen',
  owner: 'insights',
  method: 'GET',
  path: '/seen',
  access: 'own',
  tag: 'Test',
  summary: 'Reads',
  means: 'Reads.',
  answers: { 200: { body: closed({ profiles: Count, increases: Count }), means: 'What was seen.' } },
});
const ForgetSeen = route({
  name: 'ForgetSeen',
  owner: 'insights',
  method: 'DELETE',
  path: '/seen/:id',
  access: 'own',
  tag: 'Test',
  summary: 'Forgets',
  means: 'Forgets what was seen.',
  audit: false,
  params: closed({ id: Type.String() }),
  errors: ['NOT_FOUND'],
  answers: { 200: { body: closed({ forgotten: Count }), means: 'How many.' } },
});
const Fail = internal({
  name: 'Fail',
  owner: 'insights',
  means: 'Fails.',
  body: closed({ how: Type.String() }),
  answer: closed({}),
});
const Echo = internal({
  name: 'Echo',
  owner: 'insights',
  means: 'Says what it was told.',
  body: closed({ word: Type.String() }),
  answer: closed({ word: Type.String() }),
});
const AskOther = internal({
  name: 'AskOther',
  owner: 'inbox',
  means: 'Asks.',
  body: closed({}),
  answer: closed({ word: Type.String() }),
});
const Relay = internal({
  name: 'Relay',
  owner: 'insights',
  means: 'Asks on.',
  body: closed({}),
  answer: closed({ word: Type.String() }),
});
const Seen = defineEntity({ name: 'Seen', tableName: 'seen', properties: { id: p.uuid().primary(), kind: p.text() } });

const started: string[] = [];
/** What the news of increases wait for before they are taken in. */
let held: Promise<void> | undefined;
const module: ServiceModule<{ word: string }> = {
  name: 'insights',
  storage: { schema: 'insights', streams: [counter], inlineViews: [], guards: [] },
  entities: [Seen],
  migrations: [
    {
      name: '0001-seen',
      sql: 'CREATE TABLE {schema}.seen (id uuid PRIMARY KEY, kind text NOT NULL); CREATE INDEX ON {schema}.seen (kind); CREATE TABLE {schema}.by_hand (id int);',
    },
  ],
  connect: ({ store, sql, ask }) => ({
    name: 'insights',
    rows: [
      operation(Increase, async ({ body, params, caller, context }) => {
        const metadata = {
          organizationId: caller.organizationId,
          subject: `organization:${caller.organizationId}`,
          requestId: context.requestId,
        };
        const { state } = await store.handle(counter, params.id, body, {
          metadata,
          onAppended: context.appended,
        });
        return { count: state.count };
      }),
      operation(ReadSeen, async ({ context }) => {
        const known = new Set(await context.em().find(Seen, {}));
        // Of one request each row is one object, however often it is read.
        const rows = (await context.em().find(Seen, {})).filter((row) => known.has(row));
        return {
          profiles: rows.filter(({ kind }) => kind === 'profile').length,
          increases: rows.filter(({ kind }) => kind === 'increase').length,
        };
      }),
      operation(ForgetSeen, async ({ params, context }) => {
        const forgotten = await context.em().nativeDelete(Seen, { id: params.id });
        if (forgotten === 0) throw new Refused('NOT_FOUND', 'There is none.');
        return { forgotten };
      }),
      internalOperation(Fail, async ({ how }) => {
        if (how === 'refused')
          throw new Refused('DAILY_LIMIT_REACHED', 'Enough.', { count: 3 }, { 'Retry-After': '7' });
        throw new Error('secret detail');
      }),
      internalOperation(Echo, async (body) => body),
      internalOperation(Relay, (_, { deadline }) => ask(AskOther, {}, { deadline })),
      reaction(ProfileCreated, async ({ profileId }) => {
        await sql.query(`INSERT INTO seen VALUES ($1, 'profile') ON CONFLICT DO NOTHING`, [profileId]);
      }),
      reaction(Increased, async (_, { id }) => {
        await held;
        await sql.transaction((inside) =>
          inside.query(`INSERT INTO seen VALUES ($1, 'increase') ON CONFLICT DO NOTHING`, [id]),
        );
      }),
    ],
    publish: ({ type, data }) =>
      type === 'Counted' ? [publication(Increased, { count: (data as { by: number }).by })] : [],
    running: [{ start: async () => void started.push('start'), stop: async () => void started.push('stop') }],
  }),
};

describe('a service on its host', () => {
  let service: TestService;
  const caller = testCaller();
  beforeAll(async () => {
    service = await testService(module, {
      settings: { word: 'x' },
      others: (fake) => fake(AskOther, () => ({ word: 'from the other' })),
    });
  });
  afterAll(() => service.stop());

  it('answers an operation with the usual status and what it raised', async () => {
    const reply = await service.call(Increase, { caller, params: { id: v7() }, body: { by: 2 } });
    expect(reply).toMatchObject({ status: 201, body: { count: 2 }, raised: [{ type: 'test.increased' }] });
    const [told] = await service.published(Increased);
    expect(told).toMatchObject({
      id: reply.raised?.[0]?.id,
      data: { count: 2 },
      source: 'insights',
      organizationId: caller.organizationId,
    });
  });

  it('lets a read see what the write before it caused', async () => {
    for (let n = 0; n < 20; n++) {
      const { raised } = await service.call(Increase, { caller, params: { id: v7() }, body: { by: 1 } });
      const before = await service.call(ReadSeen, { caller, after: raised ?? [] });
      const rows = await service.sql.query('SELECT * FROM seen WHERE id = $1', [raised?.[0]?.id]);
      expect(rows).toHaveLength(1);
      expect(before.status).toBe(200);
    }
  });

  it('lets a write change what the write before it caused', async () => {
    for (let n = 0; n < 20; n++) {
      const { raised } = await service.call(Increase, { caller, params: { id: v7() }, body: { by: 1 } });
      const { body } = await service.call(ForgetSeen, {
        caller,
        params: { id: raised?.[0]?.id ?? '' },
        after: raised ?? [],
      });
      expect(body).toEqual({ forgotten: 1 });
    }
  });

  it('finds what the write before it made, though the news of that take longer than it waits at first', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const { raised = [] } = await service.call(Increase, { caller, params: { id: v7() }, body: { by: 1 } });
    const forgetting = service.call(ForgetSeen, { caller, params: { id: raised[0]?.id ?? '' }, after: raised });
    // Longer than the second in which all else is answered.
    setTimeout(resolve, 1_500);
    expect((await forgetting).body).toEqual({ forgotten: 1 });
    await expect(service.call(ForgetSeen, { caller, params: { id: v7() }, after: raised })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('takes in the facts of others', async () => {
    const organizationId = v7();
    await service.emit(
      ProfileCreated,
      { profileId: v7(), accountId: v7(), workspaceId: v7(), name: 'A' },
      { organizationId },
    );
    expect((await service.call(ReadSeen, { caller })).body).toMatchObject({ profiles: 1 });
  });

  it('asks others and is asked by them', async () => {
    expect(await service.ask(Relay, {})).toEqual({ word: 'from the other' });
  });

  it('passes over what a newer service has added to its request', async () => {
    const newer = { word: 'known', since: 'the next version' };
    expect(await service.ask(Echo, newer)).toEqual({ word: 'known' });
  });

  it('passes a broken rule with its details, and leaks nothing of other errors', async () => {
    const broken = service.call(Increase, { caller, params: { id: v7() }, body: { by: -1 } });
    await expect(broken).rejects.toMatchObject({ code: 'CONFLICT', details: { by: -1 } });
    await expect(service.ask(Fail, { how: 'refused' })).rejects.toMatchObject({
      code: 'DAILY_LIMIT_REACHED',
      headers: { 'Retry-After': '7' },
    });
    await expect(service.ask(Fail, { how: 'other' })).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.not.stringContaining('secret'),
    });
    await expect(service.ask(Fail, {} as never)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'body.how' }],
    });
  });

  it('goes on after a restart', async () => {
    const id = v7();
    await service.call(Increase, { caller, params: { id }, body: { by: 4 } });
    await service.restart();
    expect((await service.call(Increase, { caller, params: { id }, body: { by: 1 } })).body).toEqual({ count: 5 });
    expect(started).toEqual(['start', 'stop', 'start']);
  });

  it('has migrations that agree with its entities', async () => {
    expect(await schemaMatches(module)).toBe('');
    const wrong = {
      ...module,
      migrations: [{ name: '0001', sql: 'CREATE TABLE {schema}.seen (id uuid PRIMARY KEY, kind text)' }],
    };
    expect(await schemaMatches(wrong)).not.toBe('');
  });
});
