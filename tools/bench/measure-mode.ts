import { startWebhookReceiver } from '@messaging-gateway/testing';
import type { Installation } from './installation.ts';
import { flood, linkSenders, pace, registerOwner, type Sender } from './load.ts';
import { percentile } from './percentile.ts';
import type { ModeResult, RawResult } from './results.ts';
import type { SimulatorProcess } from './simulator-process.ts';

export interface Measuring {
  readonly network: SimulatorProcess;
  /** Profiles of each flood, ascending. Latency and lag are taken at 10, or at the only one. */
  readonly counts: readonly number[];
  /** Requests in flight for each profile, in each flood of a number of profiles. */
  readonly clients: readonly number[];
  readonly seconds: number;
  /** The library alone, with as many sends in flight, measured right before each flood. */
  readonly raw: (sockets: number, inFlight: number) => Promise<RawResult>;
}

const latencyRate = 100;
const lagRate = 200;

/** One way of running the gateway, from one profile to many. Each figure follows a warm-up of the same length. */
export async function measureMode(installation: Installation, measuring: Measuring): Promise<ModeResult> {
  const { network, counts, clients, seconds } = measuring;
  const alone = installation.residentMiB();
  const owner = await registerOwner(installation);
  const runs: ModeResult['runs'][number][] = [];
  let senders: Sender[] = [];
  let added = { p50: Number.NaN, p99: Number.NaN };
  let webhookLag = { p50: Number.NaN, p99: Number.NaN, eventsPerSecond: 0 };
  let memoryPerProfileMiB = Number.NaN;
  for (const count of counts) {
    senders = [...senders, ...(await linkSenders(installation, network, owner, count - senders.length))];
    memoryPerProfileMiB = (installation.residentMiB() - alone) / senders.length;
    for (const each of clients) {
      const raw = await measuring.raw(count, each);
      await flood(installation, senders, seconds, each);
      runs.push({ raw, gateway: await flood(installation, senders, seconds, each) });
    }
    if (count !== 10 && counts.length > 1) continue;
    const baseline = await measuring.raw(1, 1);
    const paced = await pace(installation.host, senders, latencyRate, seconds);
    added = { p50: percentile(paced, 0.5) - baseline.p50, p99: percentile(paced, 0.99) - baseline.p99 };
    webhookLag = await measureWebhookLag(installation, senders, seconds);
  }
  return { runs, added, webhookLag, memoryPerProfileMiB };
}

/** Time from an event's append to its arrival at a webhook, at a steady rate of `message.sent`. */
async function measureWebhookLag(
  installation: Installation,
  senders: readonly Sender[],
  seconds: number,
): Promise<ModeResult['webhookLag']> {
  const receiver = await startWebhookReceiver('bench secret');
  const credential = senders[0]?.token ?? '';
  const made = await installation.call<{ id: string }>(
    'POST',
    '/webhooks',
    { url: receiver.url, secret: 'bench secret', events: ['message.sent'] },
    { credential },
  );
  const sent = await pace(installation.host, senders, lagRate, seconds);
  for (let waited = 0; waited < 20_000 && receiver.deliveries.length < sent.length; waited += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await installation.call('DELETE', `/webhooks/${made.body.id}`, undefined, { credential });
  const lags = receiver.deliveries.map(({ at, timestamp }) => at - Date.parse(timestamp));
  await receiver.stop();
  const arrivals = receiver.deliveries.map(({ at }) => at);
  const span = (Math.max(...arrivals) - Math.min(...arrivals)) / 1000;
  if (lags.length < sent.length) throw new Error(`Only ${lags.length} of ${sent.length} events reached the webhook.`);
  return { p50: percentile(lags, 0.5), p99: percentile(lags, 0.99), eventsPerSecond: lags.length / span };
}
