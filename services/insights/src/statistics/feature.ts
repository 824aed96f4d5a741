import {
  ConversationJoined,
  GetAutomationStatistics,
  GetBroadcastStatistics,
  GetContactStatistics,
  GetDashboard,
  GetMessageStatistics,
  GetMessageTrend,
  GetResponseTime,
  MessageAccepted,
  MessageFailed,
  MessageReceived,
  MessageSent,
  MessageStatusChanged,
} from '@messaging-gateway/contracts';
import { batchedReaction, feature, operation, type ReactionRow, type ServiceTools } from '@messaging-gateway/service';
import { messagesAtOnce } from '../messages-at-once.ts';
import type { InsightsSettings } from '../config.ts';
import { statisticsMigration } from './facts/20261124060000-statistics.migration.ts';
import { Intake } from './facts/intake.ts';
import { factsHeld } from './facts/personal-data.ts';
import { statisticsRetention } from './facts/retention.ts';
import { accepted, joined, progressed, received, sent } from './facts/told.ts';
import {
  automationStatistics,
  broadcastStatistics,
  contactStatistics,
  dashboard,
  messageStatistics,
  messageTrend,
  responseTime,
} from './routes.ts';
import { fillingOnce } from './views/filling.ts';

/** News of one kind that are taken in together. */
const atOnce = messagesAtOnce;

/** How many messages there were, of which kind, and how soon they were answered; and what others count. */
export const statistics = feature({
  name: 'statistics',
  migrations: [statisticsMigration],
  connect: (tools: ServiceTools<InsightsSettings>) => {
    const intake = new Intake(tools);
    return {
      rows: [
        operation(GetDashboard, (input) => dashboard(tools, input)),
        operation(GetMessageStatistics, (input) => messageStatistics(tools, input)),
        operation(GetMessageTrend, (input) => messageTrend(tools, input)),
        operation(GetContactStatistics, (input) => contactStatistics(tools, input)),
        operation(GetBroadcastStatistics, (input) => broadcastStatistics(tools, input)),
        operation(GetAutomationStatistics, (input) => automationStatistics(tools, input)),
        operation(GetResponseTime, (input) => responseTime(tools, input)),
      ],
      hears: heard(intake),
      jobs: [statisticsRetention(tools), fillingOnce(tools, (news) => intake.takeTogether(news))],
      metrics: [
        {
          name: 'statistics_progress_ahead',
          help: 'Messages of which something was told, and not yet that they are, of all replicas',
          look: async () => {
            const [row] = await tools.sql.query<{ count: number }>('SELECT count(*)::int AS count FROM progress_ahead');
            return [{ value: row?.count ?? 0 }];
          },
        },
      ],
      personalData: factsHeld(tools),
    };
  },
});

/** In any order: what is told of a message may come before it. */
const heard = (intake: Intake): readonly ReactionRow[] => [
  batchedReaction(MessageReceived, (data, event) => intake.take(received(data, event)), atOnce),
  batchedReaction(MessageAccepted, (data, event) => intake.take(accepted(data, event)), atOnce),
  batchedReaction(MessageSent, (data, event) => intake.take(sent(data, event, event.time)), atOnce),
  batchedReaction(
    MessageFailed,
    (data, event) => intake.take(progressed({ ...data, status: 'failed' }, event)),
    atOnce,
  ),
  batchedReaction(MessageStatusChanged, (data, event) => intake.take(progressed(data, event)), atOnce),
  batchedReaction(ConversationJoined, (data, event) => intake.take(joined(data, event)), atOnce),
];
