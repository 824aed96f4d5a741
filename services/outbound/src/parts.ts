import { SendThroughLane, TellLane } from '@messaging-gateway/contracts';
import { Leases } from '@messaging-gateway/leases';
import type { Running, ServiceTools } from '@messaging-gateway/service';
import { followers } from './aftermath.ts';
import { composer, type Compose } from './composing/composer.ts';
import { mediaSources } from './composing/media-sources.ts';
import { targetsFrom, type Targets } from './composing/targets.ts';
import type { OutboundSettings } from './config.ts';
import { dailyLimit } from './gate/daily-limit.ts';
import { laneRecords } from './gate/lane-records.ts';
import { courier } from './lanes/hand-over.ts';
import { MessageJournal } from './lanes/journal.ts';
import type { LaneTools } from './lanes/lane.ts';
import { Lanes } from './lanes/lanes.ts';
import { Owners } from './lanes/owners.ts';
import { Permits } from './lanes/permits.ts';
import { policies, type Policies } from './lanes/policies.ts';
import { LaneUpkeep } from './lanes/upkeep.ts';
import { Waiters } from './lanes/waiters.ts';
import { laterThan, type Later } from './later/later.ts';
import { outboundMetrics } from './metrics.ts';
import { Sending } from './sending/sending.ts';
import { UnattendedSending } from './sending/unattended.ts';
import { networkIds, type NetworkIds } from './views/network-ids.ts';

/** What the rows of the service stand on. */
export interface OutboundParts {
  readonly sending: Sending;
  readonly targets: Targets;
  readonly compose: Compose;
  readonly policies: Policies;
  readonly lanes: Lanes;
  readonly owners: Owners;
  readonly journal: MessageJournal;
  readonly networkIds: NetworkIds;
  readonly later: Later;
  readonly running: readonly Running[];
}

const hour = 3_600_000;

/** Puts the parts together: no logic. */
export function outboundParts(tools: ServiceTools<OutboundSettings>): OutboundParts {
  const { settings, store, sql, clock, log, metrics: registry, ask, serveRoute } = tools;
  const mode = settings.durableSend ? 'durable' : 'synchronous';
  const records = laneRecords(sql);
  const waiters = new Waiters(clock);
  const ids = networkIds(tools);
  const limit = dailyLimit(store, clock, log);
  const metrics = outboundMetrics(registry, () => lanes.load());
  const journal = new MessageJournal(store, clock);
  const abort = new AbortController();
  const leases = new Leases({ sql, log, isAlone: settings.isAlone, onLost: () => lanes.loseAll() });
  const held = { leases, isAlone: settings.isAlone };
  const laneTools = laneToolsOf(tools, { journal, waiters, records, metrics, signal: abort.signal }, (...seen) =>
    lanes.disowned(...seen),
  );
  const lanes: Lanes = new Lanes({ ...held, tools: laneTools });
  const owners = new Owners({ ...held, sql, ask, clock, log });
  const limited = (): void => metrics.limited();
  const sendingParts = {
    mode,
    clock,
    store,
    ask,
    lanes,
    owners,
    journal,
    waiters,
    records,
    dailyLimit: limit,
    limited,
  } as const;
  const sending = new Sending(sendingParts);
  const serve = ownersDoor({ serveRoute }, leases.replicaId, sending, lanes);
  const upkeep = new LaneUpkeep({ ...held, lanes, owners, records, clock, log, serve, abort });
  const targets = targetsFrom({ ask, clock });
  const sources = mediaSources({ media: tools.media, allowPrivate: settings.allowPrivateTargets });
  const compose = composer({ targets, sources });
  const unattended = new UnattendedSending({ sending, lanes, owners, ask });
  const later: Later = laterThan(tools, { laneRecords: records, compose, sending, unattended });
  journal.follow(
    ...followers({ clock, waiters, lanes, networkIds: ids, dailyLimit: limit, metrics, noted: later.noted }),
  );
  return {
    sending,
    lanes,
    owners,
    targets,
    compose,
    policies: policies({ store, lanes, records, owners, clock }),
    journal,
    networkIds: ids,
    later,
    running: [sending, upkeep],
  };
}

const laneToolsOf = (
  { settings, store, sql, clock, log, ask }: ServiceTools<OutboundSettings>,
  parts: Pick<LaneTools, 'journal' | 'waiters' | 'records' | 'metrics' | 'signal'>,
  onDisowned: LaneTools['onDisowned'],
): LaneTools => ({
  ...parts,
  clock,
  log,
  sql,
  store,
  courier: courier({ ask, clock }),
  permits: new Permits(settings.sendConcurrency, clock),
  onDisowned,
  timeToLive: settings.queuedMessageTtlHours * hour,
});

/** What other replicas ask of this one as an owner of lanes. */
const ownersDoor =
  ({ serveRoute }: Pick<ServiceTools<unknown>, 'serveRoute'>, replicaId: string, sending: Sending, lanes: Lanes) =>
  async (): Promise<() => Promise<void>> => {
    const stops = await Promise.all([
      serveRoute(SendThroughLane, replicaId, (body, context) => sending.passed(body, context)),
      serveRoute(TellLane, replicaId, (news) => lanes.hear(news)),
    ]);
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  };
