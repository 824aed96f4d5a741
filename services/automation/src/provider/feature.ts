import { AiHampered, GetAiSettings, GetAiStatus, UpdateAiSettings } from '@messaging-gateway/contracts';
import { every, feature, operation, publication, tells, type ServiceTools } from '@messaging-gateway/service';
import type { AutomationSettings } from '../config.ts';
import { aiBudgetsMigration } from './20261124030000-ai-budgets.migration.ts';
import { aiSettingsStream } from './ai-settings.ts';
import { Budget } from './budget.ts';
import { Calls } from './calls.ts';
import { embed } from './embedding.ts';
import { Hampering, hamperedStream } from './hampered.ts';
import { aiMetrics } from './metrics.ts';
import { Providers } from './providers.ts';
import { getAiSettings, getAiStatus, updateAiSettings } from './settings.ts';
import { Speaker } from './speaking.ts';

const budgetShown = `
  SELECT month::text AS key, jsonb_build_object('month', to_char(month, 'YYYY-MM'), 'tokens', used) AS item
    FROM ai_budgets
   WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND month::text > $3 ORDER BY month::text LIMIT $4`;

/** Providers of AI: the settings of organizations, their budgets, and who asks. */
export const provider = feature({
  name: 'provider',
  streams: [aiSettingsStream, hamperedStream],
  tells: [
    tells(hamperedStream, {
      AiHampered: ({ data: { reason, at }, metadata }) => [
        publication(AiHampered, { reason, at }, metadata.organizationId),
      ],
    }),
  ],
  migrations: [aiBudgetsMigration],
  connect: (tools: ServiceTools<AutomationSettings>) => {
    const { settings, sql, clock, log } = tools;
    const calls = new Calls({
      allowPrivate: settings.allowPrivateTargets,
      timeoutMs: settings.aiTimeoutMs,
      log,
    });
    const providers = new Providers(tools);
    const budget = new Budget(sql, clock);
    const ofSettings = { ...tools, providers, budget };
    const changed: ((organizationId: string) => Promise<void>)[] = [];
    return {
      api: {
        /** Told of each organization whose settings were changed, in the process that has changed them. */
        whenChanged: (listener: (organizationId: string) => Promise<void>) => void changed.push(listener),
        speaker: new Speaker({
          providers,
          budget,
          calls,
          metrics: aiMetrics(tools.metrics),
          hampering: new Hampering(tools),
        }),
        embeddings: {
          modelOf: async (organizationId: string) => (await providers.ofEmbeddings(organizationId))?.model,
          embed: (organizationId: string, texts: readonly string[], model: string, signal?: AbortSignal) =>
            embed({ providers, calls }, { organizationId, signal }, texts, model),
        },
      },
      rows: [
        operation(GetAiSettings, (input) => getAiSettings(ofSettings, input)),
        operation(UpdateAiSettings, async (input) => {
          const shown = await updateAiSettings(ofSettings, input);
          for (const listener of changed) await listener(input.caller.organizationId);
          return shown;
        }),
        operation(GetAiStatus, (input) => getAiStatus(ofSettings, input)),
      ],
      running: [{ start: async () => undefined, stop: () => calls.stop() }],
      jobs: [every('1m', 'ai budgets', () => budget.tidy(), { alone: true })],
      personalData: {
        tables: ['ai_budgets', 'ai_reservations'],
        sections: [{ name: 'aiUsage', ofOrganization: true, sql: budgetShown }],
      },
    };
  },
});
