import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { replacedMedia } from './change.ts';
import { messageStream, type Incoming, type MessageEvent } from './message.ts';
import { placeOf } from './place.ts';

const columns = `id, message_id, organization_id, profile_id, conversation_id, network_message_id, direction, "from", "to", author, type,
  content, quoted_message_id, quoted_network_message_id, status, error, "timestamp", created_at,
  edited_at, removed, broadcast`;

const media = "'image', 'video', 'audio', 'document'";
/** Stands where a row that is there already has its own value. */
const nobody = "'00000000-0000-0000-0000-000000000000'";

/**
 * Stored messages, each in its place (see `place.ts`). A change comes as a row with nothing but that: it meets its message by the conflict, and does nothing for
 * one that is not there (any more). Several rows of one message are put together, the last word of each field counting.
 * What a row does not say is told by stand-ins: no status, and JSON null for the content. The content of media is changed
 * field by field, all other as a whole; content that is recovered takes the place of all there was, with its type. There is no join with the table: its plan would be made while the table is empty,
 * and scan it for ever after.
 */
export const messagesView = view({
  name: 'messages',
  tables: ['messages'],
  joins: true,
  of: messageStream,
  on: [
    'OutgoingStored',
    'IncomingStored',
    'MessageRecovered',
    'StatusChanged',
    'MessageEdited',
    'MessageRevoked',
    'MessageRemoved',
  ],
  rows: (events) => events.flatMap((event) => rowOf(event)),
  sql: `
    INSERT INTO {schema}.messages (${columns})
    SELECT found.place, nullif(given.id, found.place), coalesce(given.organization_id, ${nobody}), coalesce(given.profile_id, ${nobody}),
           coalesce(given.conversation_id, ${nobody}), given.network_message_id, coalesce(given.direction, ''),
           given."from", given."to", given.author, coalesce(given.recovered_type, given.type, ''),
           CASE WHEN given.status = 'deleted' OR given.removed THEN '{}'
                WHEN coalesce(given.recovered_type, given.type) IN (${media})
                  THEN coalesce(given.recovered, given.content) || coalesce(given.edit, '{}')
                ELSE coalesce(given.edit, given.recovered, given.content, 'null') END,
           given.quoted_message_id, given.quoted_network_message_id, coalesce(given.status, ''),
           CASE given.status WHEN 'failed' THEN given.error END,
           coalesce(given."timestamp", 'epoch'), coalesce(given.created_at, 'epoch'), given.edited_at,
           coalesce(given.removed, false), given.broadcast
      FROM (
        SELECT CASE given.count WHEN 1 THEN given.row ELSE (
                 SELECT jsonb_object_agg(field.key, field.value ORDER BY one.ordinal)
                   FROM {rows} one CROSS JOIN LATERAL jsonb_each(one.row) field WHERE one.row->>'id' = given.id
               ) END AS row
          FROM (
            SELECT rows.row->>'id' AS id, count(*) AS count, (array_agg(rows.row))[1] AS row
              FROM {rows} rows GROUP BY rows.row->>'id'
          ) given
      ) told
     CROSS JOIN LATERAL jsonb_to_record(told.row) given(
             id uuid, place uuid, organization_id uuid, profile_id uuid, conversation_id uuid, network_message_id text, direction text,
             "from" text, "to" text, author text, type text, content jsonb, quoted_message_id uuid,
             quoted_network_message_id text, status text, error jsonb, "timestamp" timestamptz, created_at timestamptz,
             edit jsonb, edited_at timestamptz, removed boolean, broadcast boolean, recovered jsonb, recovered_type text)
     CROSS JOIN LATERAL (
             SELECT coalesce(given.place,
                             (SELECT known.place FROM {schema}.message_places known WHERE known.message_id = given.id LIMIT 1),
                             given.id) AS place
           ) found
     WHERE given.type IS NOT NULL
        OR (SELECT true FROM {schema}.messages present WHERE present.id = found.place LIMIT 1)
    ON CONFLICT (id) DO UPDATE SET
      "to" = coalesce(excluded."to", messages."to"),
      type = CASE excluded.type WHEN '' THEN messages.type ELSE excluded.type END,
      quoted_message_id = coalesce(excluded.quoted_message_id, messages.quoted_message_id),
      quoted_network_message_id = coalesce(excluded.quoted_network_message_id, messages.quoted_network_message_id),
      status = CASE excluded.status WHEN '' THEN messages.status ELSE excluded.status END,
      error = CASE excluded.status WHEN '' THEN messages.error ELSE excluded.error END,
      content = CASE WHEN excluded.content = 'null' THEN messages.content
                     WHEN excluded.content <> '{}' AND messages.type IN (${media}) THEN messages.content || excluded.content
                     ELSE excluded.content END,
      edited_at = coalesce(excluded.edited_at, messages.edited_at),
      removed = messages.removed OR excluded.removed`,
});

function rowOf(event: RecordedAs<MessageEvent>): object[] {
  switch (event.type) {
    case 'OutgoingStored':
      return [{ ...stored(event), direction: 'outgoing', status: event.data.status, error: event.data.error }];
    case 'IncomingStored':
      return [{ ...stored(event), direction: 'incoming', status: 'received', ...byAuthor(event.data) }];
    case 'MessageRecovered': {
      const { messageId: id, type: recovered_type, content: recovered, ...data } = event.data;
      const { quotedMessageId: quoted_message_id, quotedNetworkMessageId: quoted_network_message_id } = data;
      return [{ id, recovered, recovered_type, quoted_message_id, quoted_network_message_id }];
    }
    case 'StatusChanged': {
      const { messageId, status, error, to } = event.data;
      return event.data.stored ? [{ id: messageId, status, error, ...(to !== undefined && { to }) }] : [];
    }
    case 'MessageEdited':
      return [
        {
          id: event.data.messageId,
          edit: event.data.content,
          ...(replacedMedia(event.data.content) === undefined && { edited_at: event.data.at }),
        },
      ];
    case 'MessageRevoked':
      return [{ id: event.data.messageId, status: 'deleted' }];
    case 'MessageRemoved':
      return [{ id: event.data.messageId, removed: true }];
    default:
      return [];
  }
}

const byAuthor = ({ author, broadcast }: Incoming): object => ({ author, broadcast });

function stored({ data, metadata, at }: RecordedAs<Extract<MessageEvent, { type: `${string}Stored` }>>): object {
  return {
    id: data.messageId,
    place: placeOf(data),
    organization_id: metadata.organizationId,
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
    created_at: at.toISOString(),
  };
}

/** Where messages lie whose own id is not their place: whoever names one finds it here. */
export const messagePlacesView = view({
  name: 'message_places',
  tables: ['message_places'],
  joins: true,
  of: messageStream,
  on: ['OutgoingStored'],
  rows: (events) =>
    events.flatMap(({ data }) => {
      const place = placeOf(data);
      return place === data.messageId ? [] : [{ message_id: data.messageId, place }];
    }),
  sql: `
    INSERT INTO {schema}.message_places (message_id, place)
    SELECT DISTINCT (row->>'message_id')::uuid, (row->>'place')::uuid FROM {rows}
    ON CONFLICT (message_id) DO NOTHING`,
});
