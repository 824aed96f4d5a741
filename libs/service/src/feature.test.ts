import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closed, event, Id, internal, operation as route } from '@messaging-gateway/contracts';
import { view, type Decider, type StreamType } from '@messaging-gateway/event-sourcing';
import { Type } from 'typebox';
import { v7 } from 'uuid';
import { internalOperation, operation, publication, reaction, tells } from './definition.ts';
import { feature, service } from './feature.ts';
import type { ServiceTools } from './module.ts';
import { testCaller } from './testing/test-caller.ts';
import { testService, type TestService } from './testing/test-service.ts';

interface Settings {
  readonly prefix: string;
}

const Hoist = route({
  name: 'Hoist',
  owner: 'insights',
  method: 'POST',
  path: '/flags/:id',
  access: 'own',
  tag: 'Test',
  summary: 'Hoists a flag',
  means: 'Hoists a flag.',
  params: closed({ id: Id }),
  query: closed({ times: Type.Optional(Type.Integer()) }),
  body: closed({ colour: Type.String() }),
  answers: { 200: { body: closed({ label: Type.String() }), means: 'Hoisted.' } },
});
const CountFlags = internal({
  name: 'CountFlags',
  owner: 'insights',
  means: 'How many flags there are, and how many were heard of.',
  body: closed({}),
  answer: closed({ there: Type.Integer(), heard: Type.Integer() }),
});
const FlagHoisted = event({
  type: 'test.hoisted',
  version: 1,
  owner: 'insights',
  visibility: 'internal',
  means: 'A flag was hoisted.',
  data: closed({ colour: Type.String() }),
  example: { colour: 'red' },
});

type FlagEvent =
  | { type: 'Hoisted'; data: { flagId: string; colour: string; times: number } }
  | { type: 'Lowered'; data: { flagId: string } };
const decider: Decider<null, FlagEvent['data'] & { colour: string; times: number }, FlagEvent> = {
  initial: null,
  decide: ({ flagId, colour, times }) => [
    { type: 'Hoisted', data: { flagId, colour, times } },
    { type: 'Lowered', data: { flagId } },
  ],
  evolve: (state) => state,
};
const flagStream: StreamType<null, FlagEvent['data'] & { colour: string; times: number }, FlagEvent> = {
  name: 'flag',
  decider,
  events: { Hoisted: { version: 1 }, Lowered: { version: 1 } },
};

let asked: string[][] = [];

const labels = feature({
  name: 'labels',
  connect: ({ settings }: ServiceTools<Settings>) => ({
    api: { label: (colour: string, times: number) => `${settings.prefix}${colour} x${times}` },
  }),
});

const flags = feature({
  name: 'flags',
  streams: [flagStream],
  migrations: [{ name: '0001-flags', sql: 'CREATE TABLE {schema}.flags (id uuid PRIMARY KEY, colour text)' }],
  views: [
    view({
      name: 'flags',
      of: flagStream,
      on: ['Hoisted'],
      rows: (events) => {
        asked.push(events.map(({ type }) => type));
        return events.map(({ data }) => ({ id: data.flagId, colour: data.colour }));
      },
      sql: `INSERT INTO {schema}.flags (id, colour) SELECT (row->>'id')::uuid, row->>'colour' FROM {rows}`,
    }),
  ],
  tells: [tells(flagStream, { Hoisted: ({ data }) => [publication(FlagHoisted, { colour: data.colour })] })],
  needs: { labels },
  connect: ({ store, sql }: ServiceTools<Settings>, needed) => {
    const heard: string[] = [];
    return {
      rows: [
        operation(Hoist, async ({ params, query, body, caller, context }) => {
          const { organizationId } = caller;
          const times = query.times ?? 1;
          await store.handle(
            flagStream,
            params.id,
            { flagId: params.id, colour: body.colour, times },
            {
              metadata: { organizationId, subject: `organization:${organizationId}` },
              onAppended: context.appended,
            },
          );
          return { label: needed.labels.label(body.colour, times) };
        }),
        internalOperation(CountFlags, async () => {
          const [row] = await sql.query<{ there: number }>('SELECT count(*)::int AS there FROM flags');
          return { there: row?.there ?? 0, heard: heard.length };
        }),
      ],
      hears: [reaction(FlagHoisted, async ({ colour }) => void heard.push(colour))],
    };
  },
});

const module = service<Settings>('insights', { features: [labels, flags] });
let test: TestService;
beforeAll(async () => {
  test = await testService(module, { settings: { prefix: 'flag ' } });
});
afterAll(() => test.stop());

describe('a service made of features', () => {
  it('answers, writes views, tells and hears', async () => {
    asked = [];
    const { body } = await test.call(Hoist, {
      caller: testCaller(),
      params: { id: v7() },
      query: { times: 2 },
      body: { colour: 'red' },
    });
    expect(body).toEqual({ label: 'flag red x2' });
    expect(await test.published(FlagHoisted)).toMatchObject([{ data: { colour: 'red' } }]);
    while ((await test.ask(CountFlags, {})).heard === 0) await new Promise(setImmediate);
    expect(await test.ask(CountFlags, {})).toEqual({ there: 1, heard: 1 });
  });

  it('asks a view only for what it wants', () => expect(asked).toEqual([['Hoisted']]));

  it('does not connect a feature before those that it needs', () =>
    expect(() => service<Settings>('insights', { features: [flags, labels] })).toThrow(
      'insights: flags needs labels before it.',
    ));
});
