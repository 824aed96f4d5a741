import { ConfigureAiHook, ConfigureWebhookReply, GetAiHook, GetWebhookReply } from '@messaging-gateway/contracts';
import { feature, operation, type ServiceTools } from '@messaging-gateway/service';
import { answerers } from '../answerers/feature.ts';
import type { AutomationSettings } from '../config.ts';
import { Caller } from '../outside/calling.ts';
import { ToolCaller } from '../own-tools/tool-caller.ts';
import type { StepType } from '../step.ts';
import { hookStep } from './hook-step.ts';
import { configureAiHook, configureWebhookReply, getAiHook, getWebhookReply, type HookKeeping } from './keeping.ts';
import { webhookStep } from './webhook-step.ts';

/** URLs of tenants that are told, or asked what to answer: actions of flows, webhook-reply, ai-hook. */
export const hooks = feature({
  name: 'hooks',
  needs: { answerers },
  connect: (tools: ServiceTools<AutomationSettings>, { answerers: kept }) => {
    const { ask, clock, encryption, settings } = tools;
    const { allowPrivateTargets: allowPrivate } = settings;
    const caller = new Caller(allowPrivate, clock);
    const parts: HookKeeping = { answerers: kept, encryption, allowPrivate };
    const toolCaller = new ToolCaller(caller, encryption);
    const steps: readonly StepType[] = [
      webhookStep(caller, encryption),
      hookStep({ caller, encryption, ask, now: () => clock.now() }),
    ];
    return {
      api: { steps, toolCaller },
      rows: [
        operation(ConfigureWebhookReply, (input) => configureWebhookReply(parts, input)),
        operation(GetWebhookReply, getWebhookReply),
        operation(ConfigureAiHook, (input) => configureAiHook(parts, input)),
        operation(GetAiHook, getAiHook),
      ],
      running: [{ start: async () => undefined, stop: async () => toolCaller.stop() }],
      personalData: { sections: [{ name: 'replyHooks', ofOrganization: true, sql: exported }] },
    };
  },
});

const exported = `
  SELECT id::text AS key, jsonb_build_object('id', id, 'profileId', profile_id, 'kind', kind, 'enabled', enabled,
         'config', definition::jsonb - 'secret' - 'apiKey' - 'headers', 'createdAt', created_at, 'updatedAt', updated_at) AS item
    FROM answerers WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND kind IN ('webhook-reply', 'ai-hook') AND NOT deleted
     AND id::text > $3
   ORDER BY id::text LIMIT $4`;
