import { ConversationHandover, IntegrationsChanged, TryTypebot } from '@messaging-gateway/contracts';
import { every, feature, internalOperation, reaction, type ServiceTools } from '@messaging-gateway/service';
import { answerers } from '../answerers/feature.ts';
import type { AutomationSettings } from '../config.ts';
import { causedBy, ofService } from '../metadata.ts';
import { Caller } from '../outside/calling.ts';
import type { StepType } from '../step.ts';
import { typebotSessions } from './20261124040000-typebot-sessions.migration.ts';
import { TypebotClient } from './client.ts';
import { followAll, followSettings } from './following.ts';
import { BotSessions } from './sessions.ts';
import { tryTypebot } from './trying.ts';
import { typebotStep } from './typebot-step.ts';

/** Typebot answers what nothing else has answered: a session of the organization's bot for each chat. */
export const typebot = feature({
  name: 'typebot',
  needs: { answerers },
  migrations: [typebotSessions],
  connect: (tools: ServiceTools<AutomationSettings>, { answerers: kept }) => {
    const { clock, encryption, settings, sql } = tools;
    const { allowPrivateTargets: allowPrivate } = settings;
    const caller = new Caller(allowPrivate, clock);
    const client = new TypebotClient(caller);
    const sessions = new BotSessions(sql, encryption);
    const steps: readonly StepType[] = [typebotStep({ client, sessions, now: () => clock.now() })];
    return {
      api: { steps, sessions },
      rows: [internalOperation(TryTypebot, (asked) => tryTypebot({ caller, encryption, allowPrivate }, asked))],
      hears: [
        reaction(IntegrationsChanged, (_, event) =>
          followSettings(tools, event.organizationId, causedBy(event), () => kept.changed(event.organizationId)),
        ),
        reaction(ConversationHandover, async ({ conversationId, aliases = [], until }) => {
          if (until !== null && Date.parse(until) > clock.now()) await sessions.close([conversationId, ...aliases]);
        }),
      ],
      running: [{ start: async () => undefined, stop: async () => client.stop() }],
      jobs: [
        every('1d', 'settings of bots', (signal) => followAll(tools, ofService, kept.changed, signal), {
          afterFault: '1m',
        }),
        sessions.forgetting(clock),
      ],
      personalData: { tables: ['typebot_sessions'], sections: [] },
    };
  },
});
