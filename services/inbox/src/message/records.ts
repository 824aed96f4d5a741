import { type MessageRecord, type RecordContentOf, shownContent } from '@messaging-gateway/contracts';
import type { Static } from 'typebox';
import type { Failure } from './message.ts';

type Shown = Static<typeof MessageRecord>;

/** A message as it is read for an answer. */
export interface MessageRow {
  readonly id: string;
  /** Where it stands among others: cursors hold this, and answers the id. */
  readonly place: string;
  readonly profile_id: string;
  readonly conversation_id: string;
  readonly network_message_id: string | null;
  readonly direction: 'incoming' | 'outgoing';
  readonly from: string | null;
  readonly to: string | null;
  readonly author: string | null;
  readonly type: Shown['type'];
  readonly content: RecordContentOf;
  readonly quoted_message_id: string | null;
  readonly status: Shown['status'];
  readonly error: Failure | null;
  readonly timestamp: Date;
  readonly created_at: Date;
  readonly edited_at: Date | null;
  readonly broadcast: boolean | null;
  readonly responses: readonly Response[] | null;
}

interface Response {
  readonly kind: 'reaction' | 'vote';
  readonly person: string;
  readonly jid: string | null;
  readonly value: string | string[];
  /** ISO 8601. */
  readonly at: string;
}

/** The id by which everybody knows the message `m`; its row's id is its place (see `place.ts`). */
export const publicId = 'coalesce(m.message_id, m.id)';

/** Finds the message `m` by the id that stands in the statement at `$1`, wherever its place is. */
export const isMessage = `m.id = coalesce((SELECT place FROM message_places WHERE message_id = $1), $1::uuid)
  AND ${publicId} = $1::uuid`;

/**
 * Columns of `MessageRow`; the message is `m`. What its conversation has become an alias of is looked up one by one: a join
 * may read all aliases that there are for a page of messages.
 */
export const recordColumns = `${publicId} AS id, m.id AS place, m.profile_id, coalesce((
    SELECT alias.conversation_id FROM conversation_aliases alias WHERE alias.id = m.conversation_id LIMIT 1
  ), m.conversation_id) AS conversation_id,
  m.network_message_id, m.direction, m."from", m."to", m.author, m.type, m.content,
  coalesce(m.quoted_message_id, (
    SELECT coalesce(quoted.message_id, quoted.id) FROM messages quoted
     WHERE quoted.profile_id = m.profile_id AND quoted.network_message_id = m.quoted_network_message_id LIMIT 1
  )) AS quoted_message_id, m.status, m.error, m."timestamp", m.created_at, m.edited_at, m.broadcast, (
    SELECT json_agg(response ORDER BY response.at, response.person) FROM message_responses response
     WHERE response.message_id = ${publicId}
  ) AS responses`;

export function shownMessage(row: MessageRow): Shown {
  const inGroup = row.from?.endsWith('@g.us') === true;
  return {
    id: row.id,
    profileId: row.profile_id,
    conversationId: row.conversation_id,
    networkMessageId: row.network_message_id,
    direction: row.direction,
    from: row.from,
    to: row.to,
    ...(inGroup && row.author !== null && { author: row.author }),
    type: row.type,
    content: shownContent(row.type, row.content),
    quotedMessageId: row.quoted_message_id,
    ...(row.broadcast === true && { broadcast: true }),
    status: row.status,
    error: row.status === 'failed' ? row.error : null,
    timestamp: row.timestamp.toISOString(),
    createdAt: row.created_at.toISOString(),
    ...(row.status !== 'deleted' && {
      ...(row.edited_at && { editedAt: row.edited_at.toISOString() }),
      ...saidOf(row),
    }),
  };
}

/** Reactions and votes that were not taken back. */
function saidOf({ responses }: MessageRow): Pick<Shown, 'reactions' | 'votes'> {
  const said = (responses ?? []).filter(({ value }) => value.length > 0);
  const by = ({ person, jid, at }: Response) => ({
    ...(jid !== null && { from: jid }),
    fromMe: person === 'self',
    timestamp: new Date(at).toISOString(),
  });
  const reactions = said.flatMap((one) => (typeof one.value === 'string' ? [{ emoji: one.value, ...by(one) }] : []));
  const votes = said.flatMap((one) => (typeof one.value === 'string' ? [] : [{ options: one.value, ...by(one) }]));
  return { ...(reactions.length > 0 && { reactions }), ...(votes.length > 0 && { votes }) };
}
