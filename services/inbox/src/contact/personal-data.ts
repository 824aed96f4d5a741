import type { PersonalData } from '@messaging-gateway/service';

const contacts = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'profileId', profile_id, 'phone', phone, 'lid', lid, 'previousPhone', previous_phone, 'name', name,
         'pushName', push_name, 'tags', tags, 'metadata', metadata, 'blocked', blocked, 'createdAt', created_at,
         'updatedAt', updated_at) AS item
    FROM contacts WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND id::text > $3 ORDER BY id::text LIMIT $4`;

/** Personal data of contacts. */
export const contactsHeld: Partial<PersonalData> = {
  tables: ['contacts'],
  sections: [{ name: 'contacts', ofOrganization: true, sql: contacts }],
};
