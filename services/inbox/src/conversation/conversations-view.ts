import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { messageStream, type MessageEvent } from '../message/message.ts';
import { placeOf } from '../message/place.ts';
import { conversationStream, type ConversationEvent } from '../chat/conversation.ts';

/** The last value of a column, if any. */
const lastOf = (column: string): string =>
  `(array_agg(changed.${column} ORDER BY changed.ordinal DESC) FILTER (WHERE changed.${column} IS NOT NULL))[1]`;

/** Unknown where that of one is. */
const notFailed = 'CASE WHEN bool_and(changed.not_failed IS NOT NULL) THEN sum(changed.not_failed) END';

/** SQL: whether every message of a conversation has failed, so that nobody has to see it. */
const isWithoutSuccess = (count: string): string => `coalesce(${count} = 0, false)`;

/**
 * Whether somebody has deleted it: what was deleted without a count that says why was so by somebody, be it by the
 * version before, which knew no such count.
 */
const erased = `coalesce(excluded.erased,
                         conversations.deleted AND (conversations.erased OR conversations.not_failed IS DISTINCT FROM 0), false)`;

/**
 * Conversations with their unread counts and newest messages: `last_message_id` is the place of the newest, an id that tells
 * its time whatever the message's own does. Several messages of a batch may belong to one
 * conversation: they are grouped, and rows are taken in the order of their ids, so that batches never wait for each
 * other in a circle. What befalls a conversation may stand beside its first message (in a rebuild).
 * Messages that have not failed are counted, and a conversation without any is not listed, until there is one: a sum comes
 * out the same in whichever order messages are stored and fail, and whoever does so at once.
 * The JID is that of the newest message or join with a phone number, as a person may change the number; history is older, and names
 * the number that the person had then.
 * A joined conversation is counted into the one that it became an alias of. Other rows are looked up
 * one by one: a join's plan would be made while the tables are empty, and scan them for ever after.
 */
export const conversationsView = view({
  name: 'conversations',
  tables: ['conversations', 'conversation_counts', 'unread_counts'],
  joins: true,
  of: [messageStream, conversationStream],
  on: [
    'OutgoingStored',
    'IncomingStored',
    'StatusChanged',
    'MessageRevoked',
    'ConversationRead',
    'ConversationJoined',
    'ConversationArchived',
    'ConversationPinned',
    'ConversationMuted',
    'ConversationCleared',
  ],
  rows: (events) => events.flatMap((event) => rowOf(event) ?? []),
  sql: `
    INSERT INTO {schema}.conversations (id, organization_id, profile_id, jid, name, unread_count, last_message_id, created_at,
                                        archived, pinned, muted_until, cleared_at, not_failed, erased, deleted)
    SELECT changed.id, (array_agg(changed.organization_id))[1], (array_agg(changed.profile_id))[1],
           coalesce((array_agg(changed.jid ORDER BY changed.ordinal DESC) FILTER (WHERE changed.jid LIKE '%@c.us'))[1],
                    min(changed.jid), ''),
           (array_agg(changed.name ORDER BY changed.ordinal DESC) FILTER (WHERE changed.name IS NOT NULL))[1],
           sum(changed.unread), (array_agg(changed.message_id ORDER BY changed.message_id DESC NULLS LAST))[1],
           min(changed.created_at),
           ${lastOf('archived')}, ${lastOf('pinned')}, ${lastOf('muted_until')}, max(changed.cleared_at),
           ${notFailed}, ${lastOf('erased')}, ${isWithoutSuccess(notFailed)} OR coalesce(${lastOf('erased')}, false)
      FROM (
        SELECT coalesce(
                 (SELECT alias.conversation_id FROM {schema}.conversation_aliases alias WHERE alias.id = given.id LIMIT 1),
                 given.id) AS id,
               rows.ordinal, given.organization_id, given.profile_id, given.created_at,
               coalesce(present.jid, given.jid, joined.jid) AS jid, coalesce(given.name, joined.name) AS name,
               coalesce(given.unread, joined.unread_count, 0) AS unread,
               coalesce(given.message_id, joined.last_message_id) AS message_id,
               given.archived, given.pinned, given.muted_until, given.cleared_at, given.erased,
               CASE WHEN joined.id IS NULL THEN coalesce(given.not_failed, 0) ELSE joined.not_failed END AS not_failed
          FROM {rows} rows
         CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
                 id uuid, organization_id uuid, profile_id uuid, jid text, name text, unread int, message_id uuid,
                 joined uuid, created_at timestamptz, archived boolean, pinned boolean, muted_until timestamptz,
                 cleared_at timestamptz, not_failed int, erased boolean, is_history boolean)
          LEFT JOIN LATERAL (
                 SELECT known.jid FROM {schema}.conversations known
                  WHERE known.id = coalesce(
                          (SELECT alias.conversation_id FROM {schema}.conversation_aliases alias WHERE alias.id = given.id LIMIT 1),
                          given.id)
                    AND known.jid LIKE '%@c.us' LIMIT 1
               ) present ON given.is_history
          LEFT JOIN LATERAL (
                 SELECT * FROM {schema}.conversations WHERE conversations.id = given.joined LIMIT 1
               ) joined ON given.joined IS NOT NULL
         WHERE given.jid IS NOT NULL OR joined.id IS NOT NULL
            OR (SELECT true FROM {schema}.conversations present WHERE present.id = given.id AND given.joined IS NULL LIMIT 1)
            OR (SELECT true FROM {rows} one WHERE one.row->>'id' = rows.row->>'id' AND one.row ? 'jid' LIMIT 1)
      ) changed
     GROUP BY changed.id ORDER BY changed.id
    ON CONFLICT (id) DO UPDATE SET
      jid = CASE WHEN excluded.jid LIKE '%@c.us' THEN excluded.jid ELSE conversations.jid END,
      name = coalesce(excluded.name, conversations.name),
      unread_count = greatest(0, conversations.unread_count + excluded.unread_count),
      last_message_id = greatest(conversations.last_message_id, excluded.last_message_id),
      archived = coalesce(excluded.archived, conversations.archived),
      pinned = coalesce(excluded.pinned, conversations.pinned),
      muted_until = coalesce(excluded.muted_until, conversations.muted_until),
      cleared_at = greatest(excluded.cleared_at, conversations.cleared_at),
      not_failed = conversations.not_failed + excluded.not_failed,
      erased = ${erased},
      deleted = ${isWithoutSuccess('conversations.not_failed + excluded.not_failed')} OR ${erased}`,
});

type Failing = Extract<MessageEvent, { type: 'StatusChanged' | 'MessageRevoked' }>;
type Stored = RecordedAs<Extract<MessageEvent, { type: `${string}Stored` }>>;

function rowOf(event: Stored | RecordedAs<Failing> | RecordedAs<ConversationEvent>): object | undefined {
  switch (event.type) {
    case 'OutgoingStored':
      return {
        ...ofMessage(event),
        unread: 0,
        not_failed: event.data.status === 'failed' ? 0 : 1,
        is_history: event.data.silent,
      };
    case 'StatusChanged':
    case 'MessageRevoked':
      return ofFailing(event);
    case 'IncomingStored': {
      const { pushName, chat, delivery } = event.data;
      const name = chat.endsWith('@g.us') ? undefined : pushName;
      const isHistory = delivery === 'history';
      return { ...ofMessage(event), name, unread: isHistory ? 0 : 1, not_failed: 1, is_history: isHistory };
    }
    case 'ConversationRead':
      return { ...ofConversation(event), unread: -event.data.count };
    case 'ConversationJoined': {
      const { into: id, conversationId: joined, jid } = event.data;
      return { ...common(event, event.data), id, joined, ...(jid !== undefined && { jid }) };
    }
    case 'ConversationArchived':
      return { ...ofConversation(event), archived: event.data.archived };
    case 'ConversationPinned':
      return { ...ofConversation(event), pinned: event.data.pinned };
    case 'ConversationMuted':
      return { ...ofConversation(event), muted_until: mutedUntil(event.data) };
    case 'ConversationCleared': {
      const { count, at: cleared_at, deleted } = event.data;
      const row = { ...ofConversation(event), unread: -count, cleared_at };
      return deleted ? { ...row, erased: true, archived: false, pinned: false, muted_until: '-infinity' } : row;
    }
  }
}

const common = (
  { metadata, at }: Pick<RecordedAs<MessageEvent>, 'metadata' | 'at'>,
  { profileId }: { readonly profileId: string },
): object => ({
  organization_id: metadata.organizationId,
  profile_id: profileId,
  created_at: at.toISOString(),
});

const ofConversation = (event: RecordedAs<ConversationEvent>): object => ({
  ...common(event, event.data),
  id: event.data.conversationId,
  unread: 0,
});

/** Only what makes a message one that failed, or no longer one, is of concern. */
function ofFailing(event: RecordedAs<Failing>): object | undefined {
  const { failing } = event.data;
  if (failing === undefined) return undefined;
  return { ...common(event, failing), id: failing.conversationId, unread: 0, not_failed: failing.ends ? 1 : -1 };
}

const mutedUntil = ({ muted, until }: { muted: boolean; until?: string }): string =>
  muted ? (until ?? 'infinity') : '-infinity';

function ofMessage(event: Stored): object {
  const { conversationId: id, chat: jid } = event.data;
  return { ...common(event, event.data), id, jid, message_id: placeOf(event.data), erased: false };
}
