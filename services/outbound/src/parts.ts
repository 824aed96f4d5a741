import type { Running, ServiceTools } from '@messaging-gateway/service';
import { aftermath } from './aftermath.ts';
import type { OutboundSettings } from './config.ts';
import { dailyLimit } from './gate/daily-limit.ts';
import { policies, type Policies } from './lane-policy/policies.ts';
import { courier } from './lanes/delivery.ts';
import { Lanes } from './lanes/lanes.ts';
import { soleOwnership } from './lanes/ownership.ts';
import { Permits } from './lanes/permits.ts';
import { recorder, type Recorder } from './lanes/recorder.ts';
import { Waiters } from './lanes/waiters.ts';
import { outboundMetrics } from './metrics.ts';
import { connectionCheck } from './sending/connection-check.ts';
import { quotesFrom, type Quotes } from './sending/quotes.ts';
import { Sending } from './sending/sending.ts';
import { laneRecords } from './views/lane-records.ts';
import { networkIds, type NetworkIds } from './views/network-ids.ts';

/** What the rows of the service stand on. */
export interface OutboundParts {
  readonly sending: Sending;
  readonly quotes: Quotes;
  readonly policies: Policies;
  readonly lanes: Lanes;
  readonly recorder: Recorder;
  readonly networkIds: NetworkIds;
  readonly running: readonly Running[];
}

const hour = 3_600_000;

/** Puts the parts together: no logic but what follows a record. */
export function outboundParts(tools: ServiceTools<OutboundSettings>): OutboundParts {
  const { settings, store, sql, clock, log, metrics: registry, ask } = tools;
  const records = laneRecords(sql);
  const waiters = new Waiters(clock);
  const ids = networkIds(sql, clock, log, settings.receiptWindowDays * 24 * hour);
  const limit = dailyLimit(store, clock, log);
  const ownership = soleOwnership(sql);
  const abort = new AbortController();
  const metrics = outboundMetrics(registry, () => lanes.load());

  const onRecorded = aftermath({
    clock,
    waiters,
    laneInMemory: (profileId) => lanes.inMemory(profileId),
    networkIds: ids,
    dailyLimit: limit,
    metrics,
  });
  const recording = recorder(store, clock, onRecorded);
  const lanes: Lanes = new Lanes(
    records,
    {
      clock,
      log,
      sql,
      store,
      metrics,
      recorder: recording,
      courier: courier({ ask, clock }),
      permits: new Permits(settings.sendConcurrency),
      epoch: ownership.epoch,
      timeToLive: settings.queuedMessageTtlHours * hour,
      signal: abort.signal,
    },
    abort,
  );
  const sending = new Sending({
    mode: settings.durableSend ? 'durable' : 'synchronous',
    clock,
    store,
    lanes,
    records,
    waiters,
    recorder: recording,
    dailyLimit: limit,
    isConnected: connectionCheck({ ask, clock }),
    limited: () => metrics.limited(),
  });
  return {
    sending,
    lanes,
    quotes: quotesFrom({ ask }),
    policies: policies({ store, lanes, records, clock }),
    recorder: recording,
    networkIds: ids,
    running: [ownership, ids, lanes],
  };
}
