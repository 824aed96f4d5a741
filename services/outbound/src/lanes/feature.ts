import {
  ApplySendingPolicy,
  ConnectionDisconnected,
  ConnectionReady,
  ConnectionUpdate,
  MessageReceived,
  ProfileCreated,
  ProfileDeleted,
  ProfileHealth,
  ReadSendingStates,
  SendThroughLane,
  TellLane,
} from '@messaging-gateway/contracts';
import { Leases } from '@messaging-gateway/leases';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import {
  batchedReaction,
  every,
  feature,
  internalOperation,
  reaction,
  type ReactionRow,
  type ServiceTools,
} from '@messaging-gateway/service';
import type { OutboundSettings } from '../config.ts';
import type { DailyLimit } from '../gate/daily-limit.ts';
import { sendGate } from '../gate/feature.ts';
import { rollTo } from '../gate/send-gate.ts';
import { dayOf } from '../time/clock.ts';
import { lanesAndQueue } from './20260101000000-lanes-and-queue.migration.ts';
import { traceContext } from './20260102000000-trace-context.migration.ts';
import { ownersOfLanes } from './20260201000000-owners-of-lanes.migration.ts';
import { changesOfMessages } from './20260301000000-changes-of-messages.migration.ts';
import { expiryOfMessages } from './20261123010000-expiry-of-messages.migration.ts';
import { knownChats } from './20261128010000-known-chats.migration.ts';
import { strangersOfDays } from './20261128020000-strangers-of-days.migration.ts';
import { connectionNews, restrictionNews } from './connection-news.ts';
import { isChange } from '../message/message.ts';
import { type Follower, MessageJournal, Waiters } from './journal.ts';
import { Lanes } from './lanes.ts';
import { type OutboundMetrics, outboundMetrics, queueGauges, queueView, settledView } from './queue.ts';
import { Owners, type PassedSend } from './owners.ts';
import { Permits } from './permits.ts';
import { policies, type Policies } from './policies.ts';
import { Strangers } from './strangers.ts';
import { LaneUpkeep } from './upkeep.ts';

const hour = 3_600_000;

/** The lanes of profiles: their messages on the way to the network, one at a time, and who owns them. */
export const lanes = feature({
  name: 'lanes',
  needs: { gate: sendGate },
  migrations: [lanesAndQueue, traceContext, ownersOfLanes, changesOfMessages, expiryOfMessages, knownChats, strangersOfDays],
  views: [queueView, settledView],
  connect: (tools: ServiceTools<OutboundSettings>, { gate: { records, dailyLimit } }) => {
    const { settings, store, sql, clock, log, ask } = tools;
    const { isAlone, replicaTtlMs, rebalanceSeconds } = settings;
    const abort = new AbortController();
    const waiters = new Waiters(clock);
    const strangers = new Strangers({ sql, ask, clock, log });
    const journal = new MessageJournal(store, clock);
    const metrics = outboundMetrics(tools.metrics, () => all.load());
    const leases = new Leases({ sql, log, isAlone, ttlMs: replicaTtlMs, onLost: () => all.loseAll() });
    const laneTools = {
      clock,
      log,
      sql,
      store,
      metrics,
      journal,
      waiters,
      strangers,
      records,
      ask,
      permits: new Permits(settings.sendConcurrency, clock),
      onDisowned: (profileId: string, newestEpoch: number) => all.disowned(profileId, newestEpoch),
      timeToLive: settings.queuedMessageTtlHours * hour,
      signal: abort.signal,
    };
    const all: Lanes = new Lanes({ leases, isAlone, tools: laneTools });
    const owners = new Owners({ leases, sql, ask, clock, log, isAlone });
    journal.follow(waiters.hear, all.apply, countReceivers(strangers));
    countOutcomes(journal, { clock, lanes: all, dailyLimit, metrics, log });
    let onPassed: PassedSend | undefined;
    const serve = servedByOwner(tools, leases, all, () => onPassed);
    const ofProfiles = policies({ store, sql, lanes: all, records, owners, strangers, clock });
    return {
      api: {
        lanes: all,
        owners,
        journal,
        waiters,
        metrics,
        /** Sets the answer to sends that other replicas pass on to this one as an owner of lanes. */
        answerPassed: (answer: PassedSend) => void (onPassed = answer),
      },
      rows: [
        internalOperation(ApplySendingPolicy, (policy, context) => ofProfiles.apply(policy, context)),
        internalOperation(ReadSendingStates, ({ organizationId, profileIds }) =>
          ofProfiles.read(organizationId, profileIds),
        ),
      ],
      hears: consumed({ lanes: all, owners, strangers, ofProfiles }),
      running: [
        new LaneUpkeep({ leases, isAlone, rebalanceSeconds, lanes: all, owners, records, clock, log, serve, abort }),
      ],
      metrics: queueGauges(tools),
      personalData: { first: (whose) => ofProfiles.closeAll(whose), tables: ['known_chats', 'stranger_days', 'unknown_numbers'] },
      jobs: [every('1h', 'strangers of earlier days', () => strangers.forgetDays())],
    };
  },
});

/** Counts receivers who are strangers, and numbers that are not on the network. */
const countReceivers =
  (strangers: Strangers): Follower =>
  ({ events }, { organizationId }) => {
    for (const { type, data } of events) {
      if (type === 'MessageSent' && !isChange(data.type))
        strangers.sent({ organizationId, profileId: data.profileId, to: data.to }, data.place.day);
      if (type === 'MessageFailed' && data.error.code === 'RECIPIENT_UNKNOWN')
        strangers.unknown({ organizationId, profileId: data.profileId }, data.place.day);
    }
  };

interface ConsumerParts {
  readonly lanes: Lanes;
  readonly owners: Owners;
  readonly strangers: Strangers;
  readonly ofProfiles: Policies;
}

/** Consumers of events of sessions and the inbox. */
function consumed({ lanes: all, owners, strangers, ofProfiles }: ConsumerParts): ReactionRow[] {
  const connection = connectionNews(all, owners);
  return [
    reaction(ProfileCreated, ({ profileId }, event) => ofProfiles.make(profileId, event.organizationId, event.id)),
    reaction(ProfileDeleted, async ({ profileId }, event) => {
      await ofProfiles.close(profileId, event.organizationId, event.id);
      await strangers.forget(profileId);
    }),
    reaction(ConnectionReady, (_, event) => connection(true, event)),
    reaction(ConnectionDisconnected, (_, event) => connection(false, event)),
    reaction(ConnectionUpdate, ({ status }, event) => connection(status === 'connected', event)),
    reaction(ProfileHealth, restrictionNews(all, owners)),
    batchedReaction(MessageReceived, async (data, { organizationId, profileId }) => {
      if (profileId === undefined || data.from.endsWith('@g.us')) return;
      if (await strangers.wrote(organizationId, profileId, data)) all.inMemory(profileId)?.tick();
    }),
  ];
}

/** Serves what other replicas ask of this one as an owner of lanes. @returns stops it */
const servedByOwner =
  (
    { serveRoute }: Pick<ServiceTools<unknown>, 'serveRoute'>,
    { replicaId }: Leases,
    lanesHere: Lanes,
    onPassed: () => PassedSend | undefined,
  ) =>
  async (): Promise<() => Promise<void>> => {
    const passed = onPassed();
    const stops = await Promise.all([
      ...(passed === undefined ? [] : [serveRoute(SendThroughLane, replicaId, passed)]),
      serveRoute(TellLane, replicaId, (news) => lanesHere.hear(news)),
    ]);
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  };

interface OutcomesParts {
  readonly clock: Clock;
  readonly lanes: Lanes;
  readonly dailyLimit: DailyLimit;
  readonly metrics: OutboundMetrics;
  readonly log: Logger;
}

/** Counts what becomes of messages, and tells of the day's limit when it is reached. */
function countOutcomes(journal: MessageJournal, { clock, lanes, dailyLimit, metrics, log }: OutcomesParts): void {
  const tellLimit = (profileId: string): void => {
    const gate = lanes.inMemory(profileId)?.gate;
    const limit = gate?.policy.dailyMessageLimit;
    if (gate !== undefined && limit !== undefined && rollTo(gate.count, dayOf(clock.now())).sent >= limit)
      dailyLimit.tell(gate);
  };
  journal.on(['MessageSent'], ({ data: { profileId } }) => {
    metrics.settled('sent', '');
    tellLimit(profileId);
  });
  journal.on(['MessageFailed'], ({ data: { profileId, messageId, error } }) => {
    metrics.settled('failed', error.code);
    log.info('A message was not sent', { profileId, messageId, code: error.code });
  });
  journal.on(['OutcomeLost'], () => metrics.settled('unknown', ''));
}
