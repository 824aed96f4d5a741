import { SendThroughLane, TellLane } from '@messaging-gateway/contracts';
import type { Running, ServiceTools } from '@messaging-gateway/service';
import { aftermath } from './aftermath.ts';
import { composer, type Compose } from './composing/composer.ts';
import { mediaSources } from './composing/media-sources.ts';
import { targetsFrom, type Targets } from './composing/targets.ts';
import type { OutboundSettings } from './config.ts';
import { dailyLimit } from './gate/daily-limit.ts';
import { policies, type Policies } from './lane-policy/policies.ts';
import { courier } from './lanes/delivery.ts';
import { hearing } from './lanes/hearing.ts';
import type { Lane } from './lanes/lane.ts';
import type { LaneTools } from './lanes/lane-tools.ts';
import { LaneWatch } from './lanes/lane-watch.ts';
import { Lanes } from './lanes/lanes.ts';
import { OwnerCalls } from './lanes/owner-calls.ts';
import { ownerNews, type OwnerNews } from './lanes/owner-news.ts';
import { Ownership } from './lanes/ownership.ts';
import { Permits } from './lanes/permits.ts';
import { recorder, type Recorder } from './lanes/recorder.ts';
import { Waiters } from './lanes/waiters.ts';
import { outboundMetrics } from './metrics.ts';
import { Acceptance } from './sending/acceptance.ts';
import { connectionCheck } from './sending/connection-check.ts';
import { Reception } from './sending/reception.ts';
import { Sending } from './sending/sending.ts';
import { laterThan, type Later } from './later/later.ts';
import { laneRecords } from './views/lane-records.ts';
import { networkIds, type NetworkIds } from './views/network-ids.ts';

/** What the rows of the service stand on. */
export interface OutboundParts {
  readonly reception: Reception;
  readonly targets: Targets;
  readonly compose: Compose;
  readonly policies: Policies;
  readonly lanes: Lanes;
  readonly news: OwnerNews;
  readonly recorder: Recorder;
  readonly networkIds: NetworkIds;
  readonly later: Later;
  readonly running: readonly Running[];
}

const hour = 3_600_000;

/** Puts the parts together: no logic. */
export function outboundParts(tools: ServiceTools<OutboundSettings>): OutboundParts {
  const { settings, store, sql, clock, log, metrics: registry, ask } = tools;
  const mode = settings.durableSend ? 'durable' : 'synchronous';
  const records = laneRecords(sql);
  const waiters = new Waiters(clock);
  const ids = networkIds(tools);
  const limit = dailyLimit(store, clock, log);
  const metrics = outboundMetrics(registry, () => lanes.load());
  const laneInMemory = (profileId: string): Lane | undefined => lanes.inMemory(profileId);
  const noted: Later['noted'] = (event) => later.noted(event);
  const onRecorded = aftermath({ clock, waiters, laneInMemory, networkIds: ids, dailyLimit: limit, metrics, noted });
  const recording = recorder(store, clock, onRecorded);
  const abort = new AbortController();
  const { ownership, lanes } = ownedLanes(tools, {
    records,
    waiters,
    recorder: recording,
    metrics,
    signal: abort.signal,
  });
  const limited = (): void => metrics.limited();
  const acceptance = new Acceptance({ mode, clock, recorder: recording, records, dailyLimit: limit, limited });
  const isConnected = connectionCheck({ ask, clock });
  const sending = new Sending({ mode, store, lanes, acceptance, waiters, isConnected });
  const calls = new OwnerCalls(ownership);
  const news = ownerNews(ownership, { ask, clock, log });
  const reception = new Reception({ mode, clock, store, lanes, calls, news, sending, acceptance, ask });
  const serve = ownersDoor(tools, ownership, reception, hearing({ lanes, waiters, store, clock }));
  const watch = new LaneWatch({ ownership, lanes, calls, records, clock, log, serve, abort });
  const targets = targetsFrom({ ask, clock });
  const sources = mediaSources({ media: tools.media, allowPrivate: settings.allowPrivateTargets });
  const durable = new Acceptance({ mode: 'durable', clock, recorder: recording, records, dailyLimit: limit, limited });
  const compose = composer({ targets, sources });
  const later: Later = laterThan(tools, { acceptance: durable, lanes, news, laneRecords: records, compose, reception });
  return {
    reception,
    lanes,
    news,
    targets,
    compose,
    policies: policies({ store, lanes, records, news, clock }),
    recorder: recording,
    networkIds: ids,
    later,
    running: [reception, watch, ...later.running],
  };
}

interface LanesStandOn extends Pick<LaneTools, 'records' | 'recorder' | 'metrics' | 'signal'> {
  readonly waiters: Waiters;
}

function ownedLanes(
  { settings, store, sql, clock, log, ask }: ServiceTools<OutboundSettings>,
  { waiters, ...parts }: LanesStandOn,
): { ownership: Ownership; lanes: Lanes } {
  const { isAlone } = settings;
  const ownership = new Ownership({ sql, records: parts.records, log, isAlone, onLost: () => lanes.loseAll() });
  const tools: LaneTools = {
    ...parts,
    clock,
    log,
    sql,
    store,
    courier: courier({ ask, clock }),
    permits: new Permits(settings.sendConcurrency, clock),
    mayOwn: () => ownership.mayOwn(),
    answer: (message, events) => waiters.tell(message.facts.messageId, message, events),
    onDisowned: (profileId, newestEpoch) => lanes.disowned(profileId, newestEpoch),
    timeToLive: settings.queuedMessageTtlHours * hour,
  };
  const lanes: Lanes = new Lanes({ ownership, waiters, tools });
  return { ownership, lanes };
}

/** What other replicas ask of this one as an owner of lanes. */
const ownersDoor =
  (
    { serveRoute }: Pick<ServiceTools<unknown>, 'serveRoute'>,
    { replicaId }: Ownership,
    reception: Reception,
    hear: ReturnType<typeof hearing>,
  ) =>
  async (): Promise<() => Promise<void>> => {
    const stops = await Promise.all([
      serveRoute(SendThroughLane, replicaId, (body, context) => reception.passed(body, context)),
      serveRoute(TellLane, replicaId, hear),
    ]);
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  };
