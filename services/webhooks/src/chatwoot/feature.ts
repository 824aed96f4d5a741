import {
  GetIntegrationsStatus,
  IntegrationsChanged,
  TakeChatwootEvent,
  TryChatwoot,
} from '@messaging-gateway/contracts';
import { every, feature, internalOperation, operation, reaction, type ServiceTools } from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { chatwootMigration } from './20261124050000-chatwoot.migration.ts';
import { Answers } from './answers.ts';
import { Bridges } from './bridges.ts';
import { takeEvent } from './callback.ts';
import { ChatwootClient } from './client.ts';
import { chatReactions } from './chat-events.ts';
import { Lanes } from './lanes.ts';
import { Outbox } from './outbox.ts';
import { statusOfBridge } from './status.ts';
import { tryChatwoot } from './trying.ts';
import { forgettingMessages } from './upkeep.ts';

/** Chatwoot, both ways: what is said in chats is posted to an inbox, and what agents answer there goes out. */
export const chatwoot = feature({
  name: 'chatwoot',
  migrations: [chatwootMigration],
  connect: (tools: ServiceTools<WebhooksSettings>) => {
    const { clock, encryption, media, settings, sql } = tools;
    const bridges = new Bridges(tools);
    const client = new ChatwootClient(settings.allowPrivateTargets);
    let wake = (): void => undefined;
    const outbox = new Outbox(sql, encryption, () => wake());
    const answers = new Answers(tools, outbox);
    const lanes = new Lanes({ ...tools, bridges, client, outbox, answers, media, now: () => clock.now() });
    wake = () => lanes.job.wake();
    return {
      rows: [
        operation(TakeChatwootEvent, (input) => takeEvent({ bridges, answers, clock, sql, wake }, input)),
        operation(GetIntegrationsStatus, (input) => statusOfBridge({ sql }, input)),
        internalOperation(TryChatwoot, (asked) => tryChatwoot({ client, encryption, settings }, asked)),
      ],
      hears: [
        reaction(IntegrationsChanged, (_, { organizationId }) => bridges.follow(organizationId)),
        ...chatReactions({ clock, sql, bridges, outbox, answers }),
      ],
      running: [lanes, { start: async () => undefined, stop: () => client.close() }],
      jobs: [
        lanes.job,
        every('1s', 'changes of bridges', () => bridges.look()),
        every('1d', 'settings of bridges', (signal) => bridges.followAll(signal), { afterFault: '1m' }),
        forgettingMessages(sql, clock, settings.eventRetentionDays),
      ],
      personalData: {
        first: async ({ organizationId, wholeOrganization }) => {
          if (!wholeOrganization) return;
          await sql.query('DELETE FROM chatwoot_bridges WHERE organization_id = $1', [organizationId]);
          bridges.forget(organizationId);
        },
        tables: [
          'chatwoot_bridges',
          'chatwoot_outbox',
          'chatwoot_answers',
          'chatwoot_lanes',
          'chatwoot_contacts',
          'chatwoot_messages',
        ],
        sections: [],
      },
    };
  },
});
