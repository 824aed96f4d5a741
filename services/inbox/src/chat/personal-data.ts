import type { PersonalData } from '@messaging-gateway/service';

const conversations = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'profileId', profile_id, 'jid', jid, 'name', name,
         'unreadCount', unread_count, 'createdAt', created_at) AS item
    FROM conversations WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`;

/** Personal data of conversations: the people with whom there is one. */
export const conversationsHeld: Partial<PersonalData> = {
  tables: ['conversations', 'handovers', 'chat_timers'],
  sections: [{ name: 'conversations', ofOrganization: true, sql: conversations }],
};
