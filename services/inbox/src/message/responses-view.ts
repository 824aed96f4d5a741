import { view } from '@messaging-gateway/event-sourcing';
import { messageStream } from './message.ts';

/** Reactions and votes: the last one of each person. An empty one was taken back. */
export const responsesView = view({
  name: 'message_responses',
  tables: ['message_responses'],
  joins: true,
  of: messageStream,
  on: ['MessageReacted', 'MessageVoted'],
  rows: (events) =>
    events.map((event) => {
      const { messageId: message_id, person, author: jid, at } = event.data;
      const row = { message_id, person, jid, at };
      return event.type === 'MessageReacted'
        ? { ...row, kind: 'reaction', value: event.data.emoji }
        : { ...row, kind: 'vote', value: event.data.options };
    }),
  sql: `
    INSERT INTO {schema}.message_responses (message_id, kind, person, jid, value, at)
    SELECT DISTINCT ON (given.message_id, given.kind, given.person)
           given.message_id, given.kind, given.person, given.jid, given.value, given.at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             message_id uuid, kind text, person text, jid text, value jsonb, at timestamptz)
     ORDER BY given.message_id, given.kind, given.person, rows.ordinal DESC
    ON CONFLICT (message_id, kind, person) DO UPDATE SET jid = excluded.jid, value = excluded.value, at = excluded.at`,
});
