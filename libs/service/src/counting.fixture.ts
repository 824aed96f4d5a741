import { closed, Count, event, Id, operation as route } from '@messaging-gateway/contracts';
import type { Decider, StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import { Type } from 'typebox';
import { operation, publication, reaction } from './definition.ts';
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

/** Counts, and reacts to its own counting. */
export const counting: ServiceModule<object> = {
  name: 'insights',
  storage: { schema: 'insights', streams: [counter], inlineViews: [], guards: [] },
  migrations: [{ name: '0001-seen', sql: 'CREATE TABLE {schema}.seen (id uuid PRIMARY KEY)' }],
  connect: ({ store, sql }) => {
    return {
      name: 'insights',
      rows: [
        operation(Increase, async ({ body, params, caller, context }) => {
          const metadata = { organizationId: caller.organizationId, subject: `organization:${caller.organizationId}` };
          const { state } = await store.handle(counter, params.id, body, {
            metadata,
            once: context.resourceId,
            onAppended: context.appended,
          });
          return { count: state.count };
        }),
        reaction(Increased, async (_, { id }) => {
          await sql.query('INSERT INTO seen VALUES ($1) ON CONFLICT DO NOTHING', [id]);
        }),
      ],
      publish: ({ type, data }) =>
        type === 'Counted' ? [publication(Increased, { count: (data as { by: number }).by })] : [],
      running: [],
    };
  },
};
