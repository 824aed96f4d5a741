import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { MessageEvent } from './message.ts';

/** Reactions and votes: the last one of each person. An empty one was taken back. */
export const responsesView: InlineView = {
  name: 'message_responses',
  tables: ['message_responses'],
  joins: true,
  rows: (events) => events.flatMap((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.message_responses (message_id, kind, person, jid, value, at)
    SELECT DISTINCT ON (given.message_id, given.kind, given.person)
           given.message_id, given.kind, given.person, given.jid, given.value, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             message_id uuid, kind text, person text, jid text, value jsonb, at timestamptz)
     ORDER BY given.message_id, given.kind, given.person, rows.ordinal DESC
    ON CONFLICT (message_id, kind, person) DO UPDATE SET jid = excluded.jid, value = excluded.value, at = excluded.at`,
};

function rowOf({ type, data }: RecordedEvent): object[] {
  const event = { type, data } as unknown as MessageEvent;
  if (event.type !== 'MessageReacted' && event.type !== 'MessageVoted') return [];
  const { messageId: message_id, person, author: jid, at } = event.data;
  const row = { message_id, person, jid, at };
  return [
    event.type === 'MessageReacted'
      ? { ...row, kind: 'reaction', value: event.data.emoji }
      : { ...row, kind: 'vote', value: event.data.options },
  ];
}
