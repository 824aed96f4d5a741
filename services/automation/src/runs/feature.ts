import {
  AutomationExecuted,
  ChatMuted,
  ConversationHandover,
  GetAutomationRun,
  ListAutomationRuns,
  MessageSent,
  MessageSettled,
  ProfileDeleted,
} from '@messaging-gateway/contracts';
import {
  batchedReaction,
  feature,
  operation,
  publication,
  reaction,
  tells,
  type ServiceTools,
} from '@messaging-gateway/service';
import { ai } from '../ai/feature.ts';
import { answerers } from '../answerers/feature.ts';
import type { AutomationSettings } from '../config.ts';
import { hooks } from '../hooks/feature.ts';
import { knowledge } from '../knowledge/feature.ts';
import { typebot } from '../typebot/feature.ts';
import { runsMigration } from './20261124010000-runs.migration.ts';
import { flowQuarters } from './20261124050000-flow-quarters.migration.ts';
import { ChatPace, forgettingPace } from './chat-pace.ts';
import { paceGuard, paceView } from './pace-guard.ts';
import { runStream } from './run.ts';
import { RunRecords } from './run-records.ts';
import { RunRunner } from './runner.ts';
import { AnswererStatsEntity, flowQuartersView, RunEntity, runMessagesView, runsView, statsView } from './runs-view.ts';
import { getRun, listRuns } from './showing.ts';
import { startGuard } from './start-guard.ts';
import { aiReplyStep } from './steps/ai-reply.ts';
import { chatSteps } from './steps/chat.ts';
import { gatherStep } from './steps/gather.ts';
import { delayStep, stopStep } from './steps/plain.ts';
import { sendStep } from './steps/send.ts';

/** Runs of answerers: step by step, each step once, and never too much to anybody. */
export const runs = feature({
  name: 'runs',
  needs: { answerers, ai, hooks, knowledge, typebot },
  streams: [runStream],
  views: [runsView, runMessagesView, statsView, flowQuartersView, paceView],
  guards: [startGuard, paceGuard],
  migrations: [runsMigration, flowQuarters],
  entities: [RunEntity, AnswererStatsEntity],
  tells: [
    tells(runStream, {
      RunEnded: ({
        data: { answererId: id, kind, runId, profileId, conversationId, status, reason, messageIds, at },
      }) => [
        ...(kind === 'flow' && (status === 'completed' || status === 'failed')
          ? [publication(AutomationExecuted, { id, runId, conversationId, status, messageIds: [...messageIds] })]
          : []),
        ...(reason === 'muted' ? [publication(ChatMuted, { profileId, conversationId, at })] : []),
      ],
      RunRefused: ({ data: { reason, profileId, conversationId, at } }) =>
        reason === 'muted' ? [publication(ChatMuted, { profileId, conversationId, at })] : [],
    }),
  ],
  connect: (
    tools: ServiceTools<AutomationSettings>,
    { answerers: kept, ai: { generate }, hooks: { steps, toolCaller }, knowledge: { search }, typebot: bot },
  ) => {
    const { ask, clock, encryption, log, settings, sql, store } = tools;
    const records = new RunRecords(sql);
    const pace = new ChatPace(sql);
    const runner = new RunRunner({ ask, clock, log, store, records, pace }, [
      delayStep,
      stopStep,
      gatherStep(records),
      sendStep(tools),
      ...chatSteps(tools),
      aiReplyStep({ ask, encryption, generate, search, toolCaller }),
      ...steps,
      ...bot.steps,
    ]);
    kept.onRemoved((answererId) => runner.cancel('answerer_id', answererId, 'deleted'));
    return {
      api: { runner, pace },
      rows: [
        operation(ListAutomationRuns, (input) => listRuns(store, input)),
        operation(GetAutomationRun, (input) => getRun(store, input)),
      ],
      hears: [
        reaction(MessageSettled, async ({ messageId, origin, status, error }) => {
          if (origin === 'automation') await runner.settled(messageId, status, error);
        }),
        reaction(ConversationHandover, async ({ conversationId, aliases = [], until }) => {
          if (until === null || Date.parse(until) <= clock.now()) return;
          for (const id of [conversationId, ...aliases]) await runner.cancel('conversation_id', id, 'handover', true);
        }),
        reaction(ProfileDeleted, ({ profileId }) => runner.cancel('profile_id', profileId, 'deleted')),
        batchedReaction(MessageSent, async ({ conversationId, origin, timestamp }, { time }) => {
          if (origin === 'phone' || origin === 'api') await pace.human(conversationId, new Date(timestamp ?? time));
        }),
      ],
      running: [runner],
      jobs: [runner.job, forgettingPace(sql, clock)],
      history: [records.history(settings.eventRetentionDays)],
      personalData: {
        first: async ({ organizationId, wholeOrganization }) => {
          if (wholeOrganization) await runner.cancel('organization_id', organizationId, 'deleted');
        },
        tables: ['runs', 'run_messages', 'answerer_stats', 'flow_quarters', 'cooldowns', 'chat_pace'],
        sections: [],
      },
    };
  },
});
