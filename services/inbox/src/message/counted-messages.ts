import type { AnswerOf, BodyOf, ListCountedMessages } from '@messaging-gateway/contracts';
import type { Sql } from '@messaging-gateway/service';
import { publicId } from './records.ts';

type Counted = AnswerOf<typeof ListCountedMessages>['items'][number];

interface Row extends Omit<Counted, 'at' | 'isPrivate' | 'isCode'> {
  readonly place: string;
  readonly isPrivate: boolean | null;
  /** Facts of the journal: whether it was ever told. */
  readonly told: boolean | null;
  readonly isCode: boolean | null;
}

/** Least status that a message had before it was deleted. */
const before = { incoming: 'received', outgoing: 'sent' } as const;

/** Messages as statistics count them, in the order of their places. What was told of them follows from how they were stored. */
export async function listCountedMessages(
  sql: Sql,
  { after = '00000000-0000-0000-0000-000000000000', limit }: BodyOf<typeof ListCountedMessages>,
): Promise<AnswerOf<typeof ListCountedMessages>> {
  const rows = await sql.query<Row>(
    `SELECT m.id AS place, ${publicId} AS "messageId", m.organization_id AS "organizationId", m.profile_id AS "profileId",
            coalesce((SELECT alias.conversation_id FROM conversation_aliases alias WHERE alias.id = m.conversation_id LIMIT 1),
                     m.conversation_id) AS "conversationId",
            m.direction, m.type, m.status,
            CASE m.direction WHEN 'incoming' THEN m."from" ELSE m."to" END NOT LIKE '%@g.us' AS "isPrivate",
            stored.origin, stored.told, stored.code AS "isCode"
       FROM (SELECT id, message_id, organization_id, profile_id, conversation_id, direction, type, status, "from", "to"
               FROM messages WHERE id > $1 ORDER BY id LIMIT $2) m
       LEFT JOIN LATERAL (
              SELECT e.data->>'origin' AS origin, (e.data->>'isCode')::boolean AS code,
                     e.data->>'delivery' IS DISTINCT FROM 'history' AND e.data->>'silent' IS DISTINCT FROM 'true' AS told
                FROM events e
               WHERE e.stream = 'message-' || ${publicId} AND e.type IN ('IncomingStored', 'OutgoingStored')
               ORDER BY e.version LIMIT 1
            ) stored ON true
      ORDER BY m.id`,
    [after, limit],
  );
  const last = rows.at(-1);
  return {
    items: rows.flatMap((row) => counted(row)),
    next: last === undefined || rows.length < limit ? null : last.place,
  };
}

function counted({ place, told, isPrivate, isCode, ...row }: Row): Counted[] {
  const isOfPhone = row.origin === 'phone';
  if (told === false || (isOfPhone && row.type === 'unsupported')) return [];
  return [
    {
      ...row,
      // As `message.sent` tells it.
      type: isOfPhone && row.type === 'sticker' ? 'image' : row.type,
      status: row.status === 'deleted' ? before[row.direction] : row.status,
      origin: row.direction === 'incoming' ? null : (row.origin ?? 'api'),
      isCode: isCode === true,
      isPrivate: isPrivate ?? true,
      at: new Date(Number.parseInt(place.slice(0, 8) + place.slice(9, 13), 16)).toISOString(),
    },
  ];
}
