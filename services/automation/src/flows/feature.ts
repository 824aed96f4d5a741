import {
  CountAutomations,
  CreateFlow,
  DeleteFlow,
  GetFlow,
  GetFlowStats,
  ListFlows,
  ReorderFlows,
  TestFlow,
  ToggleFlow,
  UpdateFlow,
} from '@messaging-gateway/contracts';
import { answer, feature, internalOperation, operation, type ServiceTools } from '@messaging-gateway/service';
import { answerers } from '../answerers/feature.ts';
import type { AutomationSettings } from '../config.ts';
import { countAutomations } from './counting.ts';
import { createFlow, deleteFlow, toggleFlow, updateFlow } from './keeping.ts';
import { flowStats, getFlow, listFlows } from './listing.ts';
import { reorderFlows } from './reordering.ts';
import { testFlow } from './testing.ts';

/** Flows: what is done by itself when a message comes, or at a time. */
export const flows = feature({
  name: 'flows',
  needs: { answerers },
  connect: (given: ServiceTools<AutomationSettings>, { answerers: kept }) => {
    const tools = { ...given, answerers: kept };
    return {
      rows: [
        operation(CreateFlow, (input) => createFlow(tools, input)),
        operation(ListFlows, listFlows),
        operation(GetFlow, getFlow),
        operation(UpdateFlow, (input) => updateFlow(tools, input)),
        operation(DeleteFlow, (input) => deleteFlow(tools, input).then(() => answer(204))),
        operation(ToggleFlow, (input) => toggleFlow(tools, input)),
        operation(ReorderFlows, (input) => reorderFlows(tools, input)),
        operation(TestFlow, (input) => testFlow(tools, input)),
        operation(GetFlowStats, flowStats),
        internalOperation(CountAutomations, (asked) => countAutomations(tools.sql, asked)),
      ],
      personalData: { sections: [{ name: 'flows', ofOrganization: true, sql: exported }] },
    };
  },
});

/** Without secrets and the values of headers, which are sealed. */
const exported = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'profileId', profile_id, 'name', name, 'enabled', enabled,
         'priority', priority, 'createdAt', created_at, 'updatedAt', updated_at, 'trigger', definition::jsonb->'trigger',
         'conditions', definition::jsonb->'conditions', 'actions', definition::jsonb->'actions') AS item
    FROM answerers WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND kind = 'flow' AND NOT deleted AND id::text > $3
   ORDER BY id::text LIMIT $4`;
