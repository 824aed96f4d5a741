import { closed, command, Count, event, Id, operation as route } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { Type } from 'typebox';
import { commandHandler, operation, publication, reaction } from './definition.ts';
import type { ServiceModule } from './module.ts';

export const Increase = route({
  name: 'Increase',
  owner: 'insights',
  method: 'POST',
  path: '/counters/:id',
  access: 'own',
  tag: 'Test',
  summary: 'Counts',
  means: 'Counts.',
  params: closed({ id: Id }),
  body: closed({ by: Type.Integer({ default: 1 }) }),
  answers: { 201: { body: closed({ count: Count }), means: 'Counted.' } },
});

export const Increased = event({
  type: 'test.increased',
  version: 1,
  owner: 'insights',
  visibility: 'internal',
  means: 'Counted.',
  data: closed({ count: Count }),
  example: { count: 1 },
});

export const Note = command({
  name: 'Note',
  owner: 'insights',
  means: 'Notes.',
  data: closed({ id: Id }),
  example: { id: '0198c0de-0000-7000-8000-000000000001' },
});

type Counted = { type: 'Counted'; data: { by: number } };

const decider: Decider<{ count: number }, { by: number }, Counted> = {
  initial: { count: 0 },
  decide: ({ by }) => {
    if (by < 0) throw new Refused('CONFLICT', 'Only upwards.', { by });
    return [{ type: 'Counted', data: { by } }];
  },
  evolve: ({ count }, { data }) => ({ count: count + data.by }),
};

export const counter: StreamType<{ count: number }, { by: number }, Counted> = {
  name: 'counter',
  decider,
  events: { Counted: { version: 1 } },
};

/** Counts, reacts to its own counting, and sends itself a command: every way that a service goes. */
export const counting: ServiceModule<object> = {
  name: 'insights',
  storage: { schema: 'insights', streams: [counter], inlineViews: [], guards: [] },
  migrations: [{ name: '0001-seen', sql: 'CREATE TABLE {schema}.seen (id uuid, how text, PRIMARY KEY (id, how))' }],
  connect: ({ store, sql, send }) => {
    const see = (id: string, how: string) =>
      sql.query('insert into seen values ($1, $2) on conflict do nothing', [id, how]);
    return {
      name: 'insights',
      rows: [
        operation(Increase, async ({ body, params, caller, context }) => {
          const metadata = { organizationId: caller.organizationId, subject: `organization:${caller.organizationId}` };
          const { state } = await store.handle(counter, params['id'] as string, body, {
            metadata,
            once: context.resourceId,
            onAppended: context.appended,
          });
          await send(Note, params['id'] as string, { id: context.resourceId });
          return { count: state.count };
        }),
        reaction(Increased, async (_, { id }) => void (await see(id, 'event'))),
        commandHandler(Note, async ({ id }) => void (await see(id, 'command'))),
      ],
      publish: ({ type, data }) =>
        type === 'Counted' ? [publication(Increased, { count: (data as { by: number }).by })] : [],
      running: [],
    };
  },
};
