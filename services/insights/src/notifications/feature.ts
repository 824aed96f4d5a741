import {
  AiHampered,
  AuditRecorded,
  BroadcastCompleted,
  BroadcastFailed,
  BroadcastHeld,
  ChatMuted,
  ConnectionReady,
  ConnectionUpdate,
  ContactUpdated,
  ConversationUpdated,
  CountUnreadNotifications,
  DailyLimitReached,
  DeleteAllNotifications,
  DeleteNotification,
  ListNotifications,
  MemberRemoved,
  MessageDeleted,
  MessageReceived,
  ProfileHealth,
  ReadAllNotifications,
  ReadNotification,
  ScheduleMissed,
  WebhookDisabled,
} from '@messaging-gateway/contracts';
import {
  answer,
  Arrivals,
  batchedReaction,
  feature,
  LiveProgress,
  operation,
  reaction,
  type ReactionRow,
  type Sql,
} from '@messaging-gateway/service';
import { audience } from '../audience/feature.ts';
import { mails } from '../mails/feature.ts';
import { messagesAtOnce } from '../messages-at-once.ts';
import { push } from '../push/feature.ts';
import type { InsightsTools } from '../tools.ts';
import { notificationsMigration } from './20261124110000-notifications.migration.ts';
import { mutedChatsMigration } from './20261124150000-muted-chats.migration.ts';
import { Desks, type Told } from './desk.ts';
import * as drafts from './drafts.ts';
import { forgetMessage, forgetPerson, forgetUser, notificationRetention, notificationsSection } from './forgetting.ts';
import { Intake } from './intake.ts';
import { followMutes } from './muted.ts';
import { countUnread, deleteAll, deleteNotification, listNotifications, readAll, readNotification } from './reading.ts';
import { ofAudit } from './security.ts';
import { NotificationEntity } from './shown.ts';

/** Notifications: what has happened, told to each member who may know and wants to. They have no journal: a day later nobody asks. */
export const notifications = feature({
  name: 'notifications',
  needs: { audience, push, mails },
  migrations: [notificationsMigration, mutedChatsMigration],
  entities: [NotificationEntity],
  connect: (
    tools: InsightsTools,
    { audience: { audience: members }, push: { pushes }, mails: { mails: toMembers } },
  ) => {
    const { sql, clock } = tools;
    const arrivals = new Arrivals(clock);
    // The newest of each member, for who looks on: what there is, they read.
    const live = new LiveProgress({ kind: 'notification.created', ask: tools.ask, clock });
    const showLive = (organizationId: string, told: readonly Told[]): void => {
      for (const { id, userId, type } of told)
        live.moved({ id: userId, organizationId, figures: { id, userId, type } });
    };
    const desks = new Desks({ ...tools, audience: members, arrivals, pushes, mails: toMembers }, showLive);
    const intake = new Intake(
      sql,
      () => clock.now(),
      () => desks.job.wake(),
    );
    const reading = { em: tools.em, sql, clock, arrivals };
    return {
      rows: [
        operation(ListNotifications, (input) => listNotifications(reading, input)),
        operation(CountUnreadNotifications, countUnread),
        operation(ReadNotification, readNotification),
        operation(ReadAllNotifications, readAll),
        operation(DeleteNotification, (input) => deleteNotification(input).then(() => answer(204))),
        operation(DeleteAllNotifications, (input) => deleteAll(input).then(() => answer(204))),
      ],
      hears: [
        ...told(intake, sql),
        reaction(ConversationUpdated, (data, { organizationId }) => followMutes(sql, organizationId, data)),
        reaction(ContactUpdated, (data, { organizationId }) => forgetPerson(sql, organizationId, data)),
        reaction(MessageDeleted, ({ messageId }, { organizationId }) => forgetMessage(sql, organizationId, messageId)),
        reaction(MemberRemoved, ({ userId }, { organizationId }) =>
          forgetUser(sql, members, { organizationId, userId }),
        ),
      ],
      running: [{ start: async () => undefined, stop: async () => arrivals.stop() }],
      jobs: [desks.job, live.job, notificationRetention(tools)],
      personalData: {
        first: ({ organizationId, userId }) => forgetUser(sql, members, { organizationId, userId }),
        tables: [
          'notifications',
          'notification_news',
          'notification_chats',
          'notification_muted_chats',
          'notification_heads',
        ],
        sections: [notificationsSection],
      },
    };
  },
});

/** Facts that somebody is told of. */
const told = (intake: Intake, sql: Sql): ReactionRow[] => [
  batchedReaction(
    MessageReceived,
    (data, event) => intake.take(event, drafts.ofMessage(data, event.profileId)),
    messagesAtOnce,
  ),
  reaction(ConnectionReady, (data, event) => intake.take(event, drafts.ofReady(data, event.profileId ?? event.key))),
  reaction(ConnectionUpdate, (data, event) =>
    intake.take(event, drafts.ofConnection(data, event.profileId ?? event.key)),
  ),
  reaction(ProfileHealth, (data, event) => intake.take(event, drafts.ofHealth(data))),
  reaction(BroadcastCompleted, (data, event) => intake.take(event, drafts.ofCompleted(data, event.profileId))),
  reaction(BroadcastFailed, (data, event) => intake.take(event, drafts.ofFailed(data, event.profileId))),
  reaction(BroadcastHeld, (data, event) => intake.take(event, drafts.ofHeld(data, event.profileId))),
  reaction(ChatMuted, (data, event) => intake.take(event, drafts.ofMuted(data))),
  reaction(AiHampered, (data, event) => intake.take(event, drafts.ofHampered(data))),
  reaction(ScheduleMissed, (data, event) => intake.take(event, drafts.ofMissed(data))),
  reaction(WebhookDisabled, (data, event) => intake.take(event, drafts.ofDisabledWebhook(data))),
  reaction(DailyLimitReached, (data, event) => intake.take(event, drafts.ofDailyLimit(data, event.profileId))),
  // Told with each event of a request, always with the same id.
  batchedReaction(AuditRecorded, async (data, event) =>
    intake.take(event, await ofAudit(sql, event.organizationId, data), data.id),
  ),
];
