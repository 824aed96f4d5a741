import {
  BroadcastCompleted,
  BroadcastFailed,
  BroadcastHeld,
  BroadcastStarted,
  BroadcastUpdated,
  CancelBroadcast,
  ConnectionReady,
  ContactUpdated,
  CountBroadcasts,
  CreateBroadcast,
  DeleteBroadcast,
  ExportBroadcastRecipients,
  GetBroadcast,
  GetBroadcastForecast,
  GetBroadcastStats,
  ListBroadcastRecipients,
  ListBroadcasts,
  MessageReceived,
  MessageSettled,
  MessageStatusChanged,
  PauseBroadcast,
  ProfileDeleted,
  ProfileHealth,
  ResumeBroadcast,
  ScheduleBroadcast,
  StartBroadcast,
  UpdateBroadcast,
  type DataOf,
} from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import {
  every,
  feature,
  internalOperation,
  LiveProgress,
  operation,
  publication,
  reaction,
  tells,
  type OperationRow,
  type ReactionRow,
  type ServiceTools,
  type Sql,
} from '@messaging-gateway/service';
import type { CampaignsSettings } from '../config.ts';
import { broadcastTables } from './20261123020000-broadcasts.migration.ts';
import { mediaOfBroadcasts } from './20261124020000-media-of-broadcasts.migration.ts';
import { newsOfRecipients } from './20261124010000-news-of-recipients.migration.ts';
import { suppressions } from '../suppressions/feature.ts';
import { templates } from '../templates/feature.ts';
import { Answers } from './answers.ts';
import { Audience } from './audience.ts';
import { BroadcastEntity } from './broadcast-entity.ts';
import { BroadcastRecords } from './broadcast-records.ts';
import { broadcastStream } from './broadcast.ts';
import { Broadcasting } from './broadcasting.ts';
import { broadcastProgress, broadcastRows, deletedAudiences, deletedBroadcasts } from './broadcasts-view.ts';
import { Contacts } from './contacts.ts';
import { countBroadcasts } from './counting.ts';
import { forgetAudiences } from './fixing.ts';
import { Forecasting } from './forecasting.ts';
import { mediaHeldView, releasingMedia } from './media.ts';
import { answerNews, contactNews, statusNews } from './news.ts';
import { BroadcastRunner } from './runner.ts';
import { StartingBroadcasts } from './starting.ts';

const hour = 3_600_000;

/** For those who look on. */
const updated =
  (change: DataOf<typeof BroadcastUpdated>['change']) =>
  ({ data: { broadcastId: id } }: { readonly data: { readonly broadcastId: string } }) => [
    publication(BroadcastUpdated, { id, change }),
  ];

/** A message for many people: from its draft until each has got it, once. */
export const broadcasts = feature({
  name: 'broadcasts',
  needs: { templates, suppressions },
  streams: [broadcastStream],
  migrations: [broadcastTables, newsOfRecipients, mediaOfBroadcasts],
  entities: [BroadcastEntity],
  views: [broadcastRows, broadcastProgress, deletedAudiences, deletedBroadcasts, mediaHeldView],
  tells: [
    tells(broadcastStream, {
      BroadcastStarted: ({ data: { broadcastId: id, total } }) => [
        publication(BroadcastStarted, { id, total, sent: 0, failed: 0 }),
      ],
      BroadcastPaused: ({ data: { broadcastId: id, reason, resumesAt } }) => [
        ...(reason === 'daily_limit' && resumesAt !== undefined ? [publication(BroadcastHeld, { id, resumesAt })] : []),
        publication(BroadcastUpdated, { id, change: 'paused' }),
      ],
      BroadcastDrafted: updated('drafted'),
      BroadcastChanged: updated('changed'),
      BroadcastScheduled: updated('scheduled'),
      BroadcastResumed: updated('resumed'),
      BroadcastCancelled: updated('cancelled'),
      BroadcastDeleted: updated('deleted'),
      BroadcastCompleted: ({ data: { broadcastId: id, total, sent, failed } }) => [
        publication(BroadcastCompleted, { id, total, sent, failed }),
      ],
      BroadcastFailed: ({ data: { broadcastId: id, total, sent, failed, reason } }) => [
        publication(BroadcastFailed, { id, total, sent, failed, reason }),
      ],
    }),
  ],
  connect: (tools: ServiceTools<CampaignsSettings>, { templates: { render }, suppressions: list }) => {
    const { ask, clock, media, settings, sql, store } = tools;
    const records = new BroadcastRecords(sql);
    const audience = new Audience(sql, clock);
    const progress = new LiveProgress({ kind: 'broadcast.progress', ask, clock, read: (ids) => records.progress(ids) });
    const runner: BroadcastRunner = new BroadcastRunner({
      store,
      records,
      audience,
      suppressions: list,
      ask,
      clock,
      timeToLive: settings.queuedMessageTtlHours * hour,
      random: Math.random,
      moved: (broadcast) => progress.moved(broadcast),
      start: (row) => starting.startDue(row),
    });
    const { maxRecipients } = settings;
    const starting = new StartingBroadcasts({
      ask,
      sql,
      clock,
      store,
      suppressions: list,
      maxRecipients,
      media,
      settings,
      render,
      fail: (row, reason) => runner.fail(row, reason),
    });
    const forecasting = new Forecasting({ ask, clock, store, records, audience, suppressions: list, maxRecipients });
    const all = new Broadcasting({ ask, sql, clock, media, settings, store, records, runner, starting, forecasting });
    return {
      rows: [...routes(all), internalOperation(CountBroadcasts, (asked) => countBroadcasts(sql, asked))],
      hears: hears(runner, sql, clock),
      jobs: [
        runner.job,
        progress.job,
        releasingMedia(tools),
        every('1h', 'audiences to go', () => forgetAudiences({ sql, clock }), { alone: true }),
      ],
      personalData: {
        first: async ({ organizationId, wholeOrganization }) => {
          if (wholeOrganization) await runner.closeAll(organizationId);
        },
        tables: ['audience', 'variant_counts', 'audiences_to_go', 'broadcasts', 'broadcast_media'],
        sections: [{ name: 'broadcasts', ofOrganization: true, sql: exported }],
      },
    };
  },
});

/** The routes of broadcasts. */
const routes = (all: Broadcasting): OperationRow[] => [
  operation(CreateBroadcast, (input) => all.create(input)),
  operation(ListBroadcasts, (input) => all.list(input)),
  operation(GetBroadcast, (input) => all.get(input)),
  operation(UpdateBroadcast, (input) => all.update(input)),
  operation(DeleteBroadcast, (input) => all.delete(input)),
  operation(ScheduleBroadcast, (input) => all.schedule(input)),
  operation(StartBroadcast, (input) => all.start(input)),
  operation(PauseBroadcast, (input) => all.pause(input)),
  operation(ResumeBroadcast, (input) => all.resume(input)),
  operation(CancelBroadcast, (input) => all.cancel(input)),
  operation(GetBroadcastForecast, (input) => all.forecast(input)),
  operation(GetBroadcastStats, (input) => all.stats(input)),
  operation(ListBroadcastRecipients, (input) => all.recipients(input)),
  operation(ExportBroadcastRecipients, (input) => all.recipientsCsv(input)),
];

/** Facts of others by which broadcasts go on. */
const hears = (runner: BroadcastRunner, sql: Sql, clock: Clock): ReactionRow[] => [
  reaction(MessageSettled, async ({ messageId, origin, status, attempts, error, at }) => {
    if (origin !== 'broadcast') return;
    const outcome = { status, attempts, ...(error !== undefined && { error }), at: Date.parse(at) };
    await runner.outcomes.told(messageId, outcome);
  }),
  reaction(MessageStatusChanged, statusNews(runner.outcomes)),
  reaction(MessageReceived, answerNews(new Answers(sql), clock)),
  reaction(ContactUpdated, contactNews(new Contacts(sql, () => clock.now()))),
  reaction(ConnectionReady, async (_, { profileId }) => {
    if (profileId !== undefined) await runner.connected(profileId);
  }),
  reaction(ProfileHealth, async ({ id, restriction }) => {
    if (restriction !== undefined) await runner.restrictionChanged(id);
  }),
  reaction(ProfileDeleted, ({ profileId }) => runner.close(profileId)),
];

const exported = `
  SELECT broadcast_id::text AS key, jsonb_build_object('id', broadcast_id, 'profileId', profile_id, 'name', name, 'status', status,
         'total', total, 'sent', sent, 'failed', failed, 'createdAt', created_at, 'completedAt', completed_at) AS item
    FROM broadcasts WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND broadcast_id::text > $3
   ORDER BY broadcast_id::text LIMIT $4`;
