import type { PersonalData, Whose } from '@messaging-gateway/service';
import { publicId } from './records.ts';
import type { MessageTools } from './tools.ts';

/** Personal data of messages: texts and media. */
export const messagesHeld = (tools: Pick<MessageTools, 'sql' | 'media'>): PersonalData => ({
  first: async (whose) => {
    if (!whose.wholeOrganization) return;
    await tools.media.deleteAll(whose.organizationId);
    await deleteMessages(tools, whose);
  },
  tables: ['waiting_changes'],
  sections: [{ name: 'messages', ofOrganization: true, sql: messages }],
});

const together = 5000;

/** A few at a time, found by their profiles: there may be millions of other organizations'. */
async function deleteMessages({ sql }: Pick<MessageTools, 'sql'>, { organizationId }: Whose): Promise<void> {
  const profiles = await sql.query<{ profile_id: string }>(
    'SELECT DISTINCT profile_id FROM conversations WHERE organization_id = $1',
    [organizationId],
  );
  for (const { profile_id } of profiles) {
    for (let more = true; more;) {
      const gone = await sql.query(
        `WITH gone AS (SELECT m.id, ${publicId} AS message_id FROM messages m
                        WHERE m.profile_id = $1 AND m.organization_id = $2 LIMIT ${together}),
              responses AS (DELETE FROM message_responses USING gone WHERE message_responses.message_id = gone.message_id),
              places AS (DELETE FROM message_places USING gone WHERE message_places.message_id = gone.message_id)
         DELETE FROM messages USING gone WHERE messages.id = gone.id RETURNING 1`,
        [profile_id, organizationId],
      );
      more = gone.length === together;
    }
  }
}

/** Profile after profile, each in the order of its index. The key is both ids. */
const messages = `
  SELECT profile.id::text || ' ' || found.place::text AS key, to_jsonb(found) - 'place' AS item
    FROM (SELECT DISTINCT profile_id AS id FROM conversations
           WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND profile_id::text >= split_part($3, ' ', 1)) profile
   CROSS JOIN LATERAL (
     SELECT ${publicId} AS id, m.id AS place, m.profile_id AS "profileId", m.conversation_id AS "conversationId",
            m.network_message_id AS "networkMessageId", m.direction, m."from", m."to", m.type, m.content, m.status,
            m."timestamp", m.created_at AS "createdAt"
       FROM messages m
      WHERE m.profile_id = profile.id AND m.organization_id = $1 AND NOT m.removed
        AND m.id > CASE WHEN profile.id::text = split_part($3, ' ', 1) THEN nullif(split_part($3, ' ', 2), '')::uuid
                        ELSE '00000000-0000-0000-0000-000000000000' END
      ORDER BY m.id LIMIT $4) found
   ORDER BY profile.id::text, found.place::text LIMIT $4`;
