import type { PersonalData } from '@messaging-gateway/service';

const templates = `
  SELECT t.id::text AS key, jsonb_build_object('id', t.id, 'profileId', t.profile_id, 'name', t.name,
         'category', t.category, 'messageType', t.message_type, 'content', t.content::json,
         'usageCount', coalesce(u.uses, 0), 'createdAt', t.created_at, 'updatedAt', t.updated_at) AS item
    FROM templates t LEFT JOIN template_usage u ON u.template_id = t.id
   WHERE t.organization_id = $1 AND $2::uuid IS NOT NULL AND NOT t.deleted AND t.id::text > $3
   ORDER BY t.id::text LIMIT $4`;

/** Personal data of templates: their media go with all those of the organization. */
export const templatesHeld: Partial<PersonalData> = {
  tables: ['templates', 'template_names', 'template_usage', 'template_uses', 'template_media'],
  sections: [{ name: 'templates', ofOrganization: true, sql: templates }],
};
