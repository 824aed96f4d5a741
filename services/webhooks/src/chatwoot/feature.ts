import {
  GetIntegrationsStatus,
  IntegrationsChanged,
  TakeChatwootEvent,
  TryChatwoot,
} from '@messaging-gateway/contracts';
import {
  dueGauges,
  every,
  feature,
  internalOperation,
  operation,
  reaction,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { WebhooksSettings } from '../config.ts';
import { chatwootMigration } from './20261124050000-chatwoot.migration.ts';
import { chatwootJoinedMigration } from './20261124160000-chatwoot-joined.migration.ts';
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
  migrations: [chatwootMigration, chatwootJoinedMigration],
  connect: (tools: ServiceTools<WebhooksSettings>) => {
    const { clock, encryption, media, settings, sql } = tools;
    const bridges = new Bridges(tools);
    const client = new ChatwootClient(settings.allowPrivateTargets, clock);
    let wake = (): void => undefined;
    const outbox = new Outbox(sql, encryption, () => wake());
    const answers = new Answers(tools, outbox);
    const lanes = new Lanes({ ...tools, bridges, client, outbox, media, now: () => clock.now() });
    wake = () => lanes.job.wake();
    return {
      rows: [
        operation(TakeChatwootEvent, (input) => takeEvent({ bridges, answers, clock, sql }, input)),
        operation(GetIntegrationsStatus, (input) => statusOfBridge({ sql }, input)),
        internalOperation(TryChatwoot, (asked) => tryChatwoot({ client, encryption, settings }, asked)),
      ],
      hears: [
        reaction(IntegrationsChanged, (_, { organizationId }) => bridges.follow(organizationId)),
        ...chatReactions({ clock, sql, bridges, outbox, answers }),
      ],
      running: [answers, lanes, { start: async () => undefined, stop: () => client.close() }],
      jobs: [
        lanes.job,
        answers.job,
        every('1s', 'changes of bridges', () => bridges.look()),
        every('1d', 'settings of bridges', (signal) => bridges.followAll(signal), { afterFault: '1m' }),
        forgettingMessages(sql, clock, settings.eventRetentionDays),
      ],
      metrics: dueGauges(tools, {
        table: 'chatwoot_lanes',
        due: 'next_look_at',
        name: 'chatwoot_chats',
        what: 'Chats with something for Chatwoot',
      }),
      personalData: {
        first: async ({ organizationId, wholeOrganization }) => {
          if (!wholeOrganization) return;
          await sql.query('DELETE FROM chatwoot_bridges WHERE organization_id = $1', [organizationId]);
          bridges.forget(organizationId);
        },
        // Whatever is written of a chat holds its bridge or its lane meanwhile: those go first.
        tables: [
          'chatwoot_lanes',
          'chatwoot_outbox',
          'chatwoot_answers',
          'chatwoot_contacts',
          'chatwoot_messages',
          'chatwoot_bridges',
        ],
        sections: [{ name: 'chatwootChats', ofOrganization: true, sql: exported }],
      },
    };
  },
});

/** What stands for which chat in Chatwoot; the settings are identity's. */
const exported = `
  SELECT conversation_id::text AS key, jsonb_build_object('conversationId', conversation_id, 'profileId', profile_id, 'chat', nullif(chat, ''),
         'contact', contact_id, 'conversation', remote_id) AS item
    FROM chatwoot_lanes WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND conversation_id::text > $3
   ORDER BY conversation_id::text LIMIT $4`;
