import type { PersonalData } from '@messaging-gateway/service';
import type { DigestKeys } from './digests.ts';

const listed = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'phone', phone, 'reason', reason, 'createdAt', created_at) AS item
    FROM suppressions
   WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND NOT lifted AND id::text > $3 ORDER BY id::text LIMIT $4`;

/** Personal data of the list. Its digests go with their key. */
export const suppressionsHeld = (keys: DigestKeys): Partial<PersonalData> => ({
  first: async () => keys.forget(),
  tables: ['suppressions', 'number_forms'],
  sections: [{ name: 'suppressions', ofOrganization: true, sql: listed }],
});
