import type { InlineView, RecordedEvent } from '@messaging-gateway/event-sourcing';
import type { MessageEvent } from '../message/message.ts';
import type { ConversationEvent } from './conversation.ts';

/**
 * Conversations with their unread counts and newest messages. Several messages of a batch may belong to one
 * conversation: they are grouped, and rows are taken in the order of their ids, so that batches never wait for each
 * other in a circle. A joined conversation is counted into the one that it became an alias of.
 */
export const conversationsView: InlineView = {
  name: 'conversations',
  tables: ['conversations'],
  joins: true,
  rows: (events) => events.flatMap((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.conversations (id, organization_id, profile_id, jid, name, unread_count, last_message_id, created_at)
    SELECT changed.id, coalesce(present.organization_id, (array_agg(changed.organization_id))[1]),
           coalesce(present.profile_id, (array_agg(changed.profile_id))[1]),
           (array_agg(changed.jid ORDER BY changed.jid LIKE '%@c.us' DESC))[1],
           (array_agg(changed.name ORDER BY changed.ordinal DESC) FILTER (WHERE changed.name IS NOT NULL))[1],
           sum(changed.unread), (array_agg(changed.message_id ORDER BY changed.message_id DESC NULLS LAST))[1],
           min(changed.created_at)
      FROM (
        SELECT coalesce(alias.conversation_id, given.id) AS id, rows.ordinal,
               coalesce(given.organization_id, joined.organization_id) AS organization_id,
               coalesce(given.profile_id, joined.profile_id) AS profile_id, coalesce(given.jid, joined.jid, '') AS jid,
               coalesce(given.name, joined.name) AS name, coalesce(given.unread, joined.unread_count, 0) AS unread,
               coalesce(given.message_id, joined.last_message_id) AS message_id, given.created_at
          FROM {rows} rows
         CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
                 id uuid, organization_id uuid, profile_id uuid, jid text, name text, unread int, message_id uuid,
                 joined uuid, created_at timestamptz)
          LEFT JOIN {schema}.conversation_aliases alias ON alias.id = given.id
          LEFT JOIN {schema}.conversations joined ON joined.id = given.joined
         WHERE given.joined IS NULL OR joined.id IS NOT NULL
      ) changed
      LEFT JOIN {schema}.conversations present ON present.id = changed.id
     GROUP BY changed.id, present.organization_id, present.profile_id
    HAVING present.organization_id IS NOT NULL OR count(changed.organization_id) > 0
     ORDER BY changed.id
    ON CONFLICT (id) DO UPDATE SET
      jid = CASE WHEN excluded.jid LIKE '%@c.us' THEN excluded.jid ELSE conversations.jid END,
      name = coalesce(excluded.name, conversations.name),
      unread_count = greatest(0, conversations.unread_count + excluded.unread_count),
      last_message_id = greatest(conversations.last_message_id, excluded.last_message_id)`,
};

function rowOf(recorded: RecordedEvent): object[] {
  const event = { type: recorded.type, data: recorded.data } as unknown as MessageEvent | ConversationEvent;
  const created_at = recorded.at.toISOString();
  switch (event.type) {
    case 'OutgoingStored':
      return [{ ...ofMessage(recorded, event.data), created_at, unread: 0 }];
    case 'IncomingStored': {
      const { pushName, chat, delivery } = event.data;
      const name = chat.endsWith('@g.us') ? undefined : pushName;
      return [{ ...ofMessage(recorded, event.data), created_at, name, unread: delivery === 'history' ? 0 : 1 }];
    }
    case 'ConversationRead':
      return [{ id: event.data.conversationId, unread: -event.data.count, created_at }];
    case 'ConversationJoined':
      return [{ id: event.data.into, joined: event.data.conversationId, created_at }];
    case 'StatusChanged':
    default:
      return [];
  }
}

function ofMessage(recorded: RecordedEvent, data: Extract<MessageEvent, { type: `${string}Stored` }>['data']): object {
  return {
    id: data.conversationId,
    organization_id: recorded.metadata.organizationId,
    profile_id: data.profileId,
    jid: data.chat,
    message_id: data.messageId,
  };
}
