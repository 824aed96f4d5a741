import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { MessageEvent } from './message.ts';

const columns = `id, organization_id, profile_id, conversation_id, network_message_id, direction, "from", "to", author, type,
  content, quoted_message_id, quoted_network_message_id, status, error, "timestamp", created_at`;

/**
 * Stored messages. A change of status finds its message by primary key and rewrites no index; for a message that is
 * not there (any more) it does nothing. Of several rows of one message the last one has the last word.
 */
export const messagesView: InlineView = {
  name: 'messages',
  tables: ['messages'],
  joins: true,
  rows: (events) => events.flatMap((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.messages (${columns})
    SELECT given.id, coalesce(given.organization_id, present.organization_id), coalesce(given.profile_id, present.profile_id),
           coalesce(given.conversation_id, present.conversation_id), given.network_message_id,
           coalesce(given.direction, present.direction), given."from", given."to", given.author,
           coalesce(given.type, present.type), coalesce(given.content, '{}'), given.quoted_message_id,
           given.quoted_network_message_id, given.status, given.error, coalesce(given."timestamp", present."timestamp"),
           coalesce(given.created_at, present.created_at)
      FROM (
        SELECT coalesce((array_agg(rows.row) FILTER (WHERE rows.row ? 'type'))[1], '{}')
                 || (array_agg(rows.row ORDER BY rows.ordinal DESC))[1] AS row
          FROM {rows} rows GROUP BY rows.row->>'id'
      ) told
     CROSS JOIN LATERAL jsonb_to_record(told.row) given(
             id uuid, organization_id uuid, profile_id uuid, conversation_id uuid, network_message_id text, direction text,
             "from" text, "to" text, author text, type text, content jsonb, quoted_message_id uuid,
             quoted_network_message_id text, status text, error jsonb, "timestamp" timestamptz, created_at timestamptz)
      LEFT JOIN {schema}.messages present ON present.id = given.id AND given.type IS NULL
     WHERE given.type IS NOT NULL OR present.id IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET status = excluded.status, error = excluded.error`,
};

function rowOf(recorded: RecordedEvent): object[] {
  const event = { type: recorded.type, data: recorded.data } as unknown as MessageEvent;
  switch (event.type) {
    case 'OutgoingStored':
      return [
        { ...stored(recorded, event.data), direction: 'outgoing', status: event.data.status, error: event.data.error },
      ];
    case 'IncomingStored':
      return [
        { ...stored(recorded, event.data), direction: 'incoming', status: 'received', author: event.data.author },
      ];
    case 'StatusChanged': {
      const { messageId, status, error } = event.data;
      return event.data.stored ? [{ id: messageId, status, error }] : [];
    }
    default:
      return [];
  }
}

function stored(recorded: RecordedEvent, data: Extract<MessageEvent, { type: `${string}Stored` }>['data']): object {
  return {
    id: data.messageId,
    organization_id: recorded.metadata.organizationId,
    profile_id: data.profileId,
    conversation_id: data.conversationId,
    network_message_id: data.networkMessageId,
    from: data.from,
    to: data.to,
    type: data.type,
    content: data.content,
    quoted_message_id: data.quotedMessageId,
    quoted_network_message_id: data.quotedNetworkMessageId,
    timestamp: data.timestamp,
    created_at: recorded.at.toISOString(),
  };
}
