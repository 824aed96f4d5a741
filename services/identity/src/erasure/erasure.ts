import { view, type Decider, type EventsOf, type StreamType } from '@messaging-gateway/event-sourcing';
import { defineEntity, p } from '@mikro-orm/core';

/** The person whose data are erased. Ids only: nothing of it is personal any more once that is done. */
export interface ErasureOf {
  readonly userId: string;
  readonly organizationId: string;
  readonly wholeOrganization: boolean;
}

type ErasureEvent =
  | { type: 'ErasureRequested'; data: ErasureOf }
  /** Every service has erased what it held. Once more later, as facts may have been on their way. */
  | { type: 'ErasureCarriedOut'; data: { userId: string; times: number } };

type ErasureCommand = ({ type: 'Request' } & ErasureOf) | { type: 'NoteCarriedOut'; times: number };

type Erasure = { readonly status: 'none' } | ({ readonly status: 'requested'; readonly times: number } & ErasureOf);

/** So often, with this time between. */
const erasures = { times: 2, againAfterMs: 120_000 } as const;

function decide(command: ErasureCommand, state: Erasure): readonly ErasureEvent[] {
  if (command.type === 'Request') {
    const { type: _, ...data } = command;
    return state.status === 'none' ? [{ type: 'ErasureRequested', data }] : [];
  }
  if (state.status === 'none' || command.times <= state.times) return [];
  return [{ type: 'ErasureCarriedOut', data: { userId: state.userId, times: command.times } }];
}

function evolve(state: Erasure, event: ErasureEvent): Erasure {
  if (event.type === 'ErasureRequested') return { status: 'requested', times: 0, ...event.data };
  return state.status === 'none' ? state : { ...state, times: event.data.times };
}

/** The erasure of a user who has left (`docs/decisions/0420-erasing-people.md`). The stream is named by the user. */
export const erasure: Decider<Erasure, ErasureCommand, ErasureEvent> = { initial: { status: 'none' }, decide, evolve };

export const erasureStream: StreamType<Erasure, ErasureCommand, ErasureEvent> = {
  name: 'erasure',
  decider: erasure,
  events: { ErasureRequested: { version: 1 }, ErasureCarriedOut: { version: 1 } },
};

/** Users whose data are to be erased; `dueAt` is null when that is done. */
export const ErasureRow = defineEntity({
  name: 'ErasureRow',
  tableName: 'user_erasures',
  properties: {
    userId: p.uuid().primary(),
    organizationId: p.uuid(),
    wholeOrganization: p.boolean(),
    times: p.integer(),
    dueAt: p.datetime(3).nullable(),
  },
});

/** Writes what is still to be erased, and when. */
export const erasuresView = view({
  name: 'user_erasures',
  of: erasureStream,
  on: ['ErasureRequested', 'ErasureCarriedOut'],
  tables: ['user_erasures'],
  rows: (events) => events.map(rowOf),
  sql: `
    INSERT INTO {schema}.user_erasures (user_id, organization_id, whole_organization, times, due_at)
    SELECT given.user_id, coalesce(given.organization_id, present.organization_id),
           coalesce(given.whole_organization, present.whole_organization), given.times, given.due_at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(user_id uuid, organization_id uuid, whole_organization boolean,
                                                        times int, due_at timestamptz)
      LEFT JOIN LATERAL (SELECT * FROM {schema}.user_erasures WHERE user_erasures.user_id = given.user_id LIMIT 1) present ON true
     WHERE given.organization_id IS NOT NULL OR present.user_id IS NOT NULL
    ON CONFLICT (user_id) DO UPDATE SET times = excluded.times, due_at = excluded.due_at`,
});

function rowOf(event: EventsOf<typeof erasureStream, ErasureEvent['type']>): object {
  const at = event.at.getTime();
  if (event.type === 'ErasureRequested') {
    const { userId: user_id, organizationId: organization_id, wholeOrganization: whole_organization } = event.data;
    return { user_id, organization_id, whole_organization, times: 0, due_at: new Date(at).toISOString() };
  }
  const { userId: user_id, times } = event.data;
  const due_at = times < erasures.times ? new Date(at + erasures.againAfterMs).toISOString() : undefined;
  return { user_id, times, due_at };
}
