import {
  CreateAutoReply,
  DeleteAutoReply,
  GetAutoReply,
  ListAutoReplies,
  ToggleAutoReply,
  UpdateAutoReply,
} from '@messaging-gateway/contracts';
import { answer, feature, operation, type ServiceTools } from '@messaging-gateway/service';
import { answerers } from '../answerers/feature.ts';
import { createRule, deleteRule, getRule, listRules, toggleRule, updateRule, type RuleParts } from './keeping.ts';

/** Auto-reply: a text for messages with a keyword. */
export const rules = feature({
  name: 'rules',
  needs: { answerers },
  connect: (_: ServiceTools<unknown>, { answerers: kept }) => {
    const parts: RuleParts = { answerers: kept };
    return {
      rows: [
        operation(CreateAutoReply, (input) => createRule(parts, input)),
        operation(ListAutoReplies, listRules),
        operation(GetAutoReply, getRule),
        operation(UpdateAutoReply, (input) => updateRule(parts, input)),
        operation(ToggleAutoReply, (input) => toggleRule(parts, input)),
        operation(DeleteAutoReply, (input) => deleteRule(parts, input).then(() => answer(204))),
      ],
      personalData: { sections: [{ name: 'autoReplies', ofOrganization: true, sql: exported }] },
    };
  },
});

const exported = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'profileId', profile_id, 'enabled', enabled, 'rule', definition::json,
         'createdAt', created_at, 'updatedAt', updated_at) AS item
    FROM answerers WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND kind = 'rule' AND NOT deleted AND id::text > $3
   ORDER BY id::text LIMIT $4`;
