import { namedUuids, type DataOf, type SessionMessageChanged } from '@messaging-gateway/contracts';
import { view, type Decider, type StreamType } from '@messaging-gateway/event-sourcing';
import type { MediaReplacement } from './change.ts';

/** Id of a change, derived from the event that brought it. */
export const changeIdOf = namedUuids('f0c1cf0e-54a4-5a52-8f1c-3f1b8f4b7c21');

type Changed = DataOf<typeof SessionMessageChanged>;
/** A change of a message, as the network or outbound published it. */
export type Told = Omit<Changed, 'change'> & { readonly change: Changed['change'] | MediaReplacement };

/** The owner read a message on the phone. */
export type ReadMark = Omit<Told, 'change'> & { readonly change: { readonly type: 'read' } };
/** A change that waits for its message. */
export type WaitingToldChange = Told | ReadMark;
type Which = Pick<Told, 'profileId'> & { readonly changeId: string; readonly networkMessageId: string };

type WaitingEvent =
  /** A change of a message that is not here yet. */
  | {
      type: 'ChangeKept';
      data: Which &
        Pick<WaitingToldChange, 'chat' | 'author' | 'fromMe' | 'target' | 'at' | 'change' | 'delivery'> & {
          /** Sequence of the event that brought the change: orders changes of the same second. */
          readonly sequence?: string;
        };
    }
  /** The message came, and the change was made. */
  | { type: 'ChangeSettled'; data: Which };

type WaitingCommand =
  | ({ type: 'Keep'; told: WaitingToldChange; sequence: string } & Which)
  | ({ type: 'Settle' } & Which);

interface WaitingChange {
  readonly kept: boolean;
  readonly settled: boolean;
}

function decide(command: WaitingCommand, { kept, settled }: WaitingChange): readonly WaitingEvent[] {
  const { changeId, profileId, networkMessageId } = command;
  const which = { changeId, profileId, networkMessageId };
  if (command.type === 'Settle') return kept && !settled ? [{ type: 'ChangeSettled', data: which }] : [];
  return kept ? [] : [{ type: 'ChangeKept', data: { ...command.told, ...which, sequence: command.sequence } }];
}

/** One change that came before its message. */
export const waitingChangeStream: StreamType<WaitingChange, WaitingCommand, WaitingEvent> = {
  name: 'waiting-change',
  decider: {
    initial: { kept: false, settled: false },
    decide,
    evolve: (state, event) => ({ kept: true, settled: state.settled || event.type === 'ChangeSettled' }),
  } satisfies Decider<WaitingChange, WaitingCommand, WaitingEvent>,
  events: {
    ChangeKept: { version: 1, personal: ['chat', 'author', 'target', 'change'] },
    ChangeSettled: { version: 1 },
  },
  ends: true,
};

/** Changes that wait, to be looked up by the id of their message on the network. What was settled holds no content. */
export const waitingChangesView = view({
  name: 'waiting_changes',
  tables: ['waiting_changes'],
  joins: true,
  of: waitingChangeStream,
  on: ['ChangeKept', 'ChangeSettled'],
  rows: (events) =>
    events.map((event) => {
      const { changeId: id, profileId: profile_id, networkMessageId: network_message_id, ...told } = event.data;
      const change = event.type === 'ChangeKept' ? { ...told, profileId: profile_id } : undefined;
      const { organizationId: organization_id } = event.metadata;
      return { id, organization_id, profile_id, network_message_id, change, created_at: event.at.toISOString() };
    }),
  sql: `
    INSERT INTO {schema}.waiting_changes (id, organization_id, profile_id, network_message_id, change, settled, created_at)
    SELECT DISTINCT ON (given.id) given.id, given.organization_id, given.profile_id, given.network_message_id,
           coalesce(given.change, '{}'), given.change IS NULL, given.created_at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             id uuid, organization_id uuid, profile_id uuid, network_message_id text, change jsonb, created_at timestamptz)
     ORDER BY given.id, rows.ordinal DESC
    ON CONFLICT (id) DO UPDATE SET change = excluded.change, settled = excluded.settled`,
});
