// `npm run bench`: the gateway against the engine's library alone, in one run on the simulated network.
// Each figure follows a warm-up of the same length. BENCH_PROFILES (1,10,50), BENCH_SECONDS (6). Prints a table and writes bench-results/<time>.json.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startWebhookReceiver } from '@messaging-gateway/testing';
import { measureAppends } from './appends.ts';
import { install, startSimulatorProcess } from './installation.ts';
import type { Installation, SimulatorProcess } from './installation.ts';
import { flood, linkSenders, pace, registerOwner } from './load.ts';
import type { Sender } from './load.ts';
import { percentile } from './percentile.ts';
import { residentMiB } from './process-cost.ts';
import type { BenchResults, GatewayResult, RawResult } from './results.ts';
import { table } from './table.ts';

const counts = (process.env['BENCH_PROFILES'] ?? '1,10,50').split(',').map(Number);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 6);
const rawEngine = fileURLToPath(new URL('raw-engine.ts', import.meta.url));
const lagRate = 200;

async function measureRaw(network: SimulatorProcess, clients: number): Promise<RawResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    rawEngine,
    network.url,
    network.rootKey,
    network.controlUrl,
    String(clients),
    String(seconds),
  ]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as RawResult;
}

/** Time from an event's append to its arrival at a webhook, at a steady rate of `message.sent`. */
async function measureWebhookLag(
  installation: Installation,
  senders: readonly Sender[],
): Promise<BenchResults['webhookLag']> {
  const receiver = await startWebhookReceiver('bench secret');
  const credential = senders[0]?.token ?? '';
  const made = await installation.gateway.call<{ id: string }>(
    'POST',
    '/webhooks',
    { url: receiver.url, secret: 'bench secret', events: ['message.sent'] },
    { credential },
  );
  const sent = await pace(installation.gateway.host, senders, lagRate, seconds);
  for (let waited = 0; waited < 20_000 && receiver.deliveries.length < sent.length; waited += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await installation.gateway.call('DELETE', `/webhooks/${made.body.id}`, undefined, { credential });
  const lags = receiver.deliveries.map(({ at, timestamp }) => at - Date.parse(timestamp));
  await receiver.stop();
  const arrivals = receiver.deliveries.map(({ at }) => at);
  const span = (Math.max(...arrivals) - Math.min(...arrivals)) / 1000;
  if (lags.length < sent.length) throw new Error(`Only ${lags.length} of ${sent.length} events reached the webhook.`);
  return { p50: percentile(lags, 0.5), p99: percentile(lags, 0.99), eventsPerSecond: lags.length / span };
}

const network = await startSimulatorProcess();
// The simulated contacts decrypt when they are asked: the bench is about the gateway.
await network.control.configureNetwork({ decrypt: 'lazy' });
const raw: Record<string, RawResult> = {};
const gateway: Record<string, GatewayResult> = {};
let installation = await install(network);
const first = installation.startUpMs;
installation = await installation.again();
const again = installation.startUpMs;
const alone = residentMiB(installation.gateway.pid);

// Also when a measurement fails: nothing is left running.
process.on('exit', () => {
  network.stop();
  installation.gateway.signal('SIGTERM');
});
const owner = await registerOwner(installation);
let senders: Sender[] = [];
let added = { p50: Number.NaN, p99: Number.NaN };
let webhookLag = { p50: Number.NaN, p99: Number.NaN, eventsPerSecond: 0 };
let memoryPerProfileMiB = Number.NaN;
for (const count of counts) {
  raw[count] = await measureRaw(network, count);
  senders = [...senders, ...(await linkSenders(installation, network, owner, count - senders.length))];
  memoryPerProfileMiB = (residentMiB(installation.gateway.pid) - alone) / senders.length;
  await flood(installation, senders, seconds);
  gateway[count] = await flood(installation, senders, seconds);
  if (count !== 10 && counts.length > 1) continue;
  const paced = await pace(installation.gateway.host, senders, 100, seconds);
  const baseline = raw[1] ?? raw[count];
  added = { p50: percentile(paced, 0.5) - (baseline?.p50 ?? 0), p99: percentile(paced, 0.99) - (baseline?.p99 ?? 0) };
  webhookLag = await measureWebhookLag(installation, senders);
}
await installation.end();
network.stop();

const results: BenchResults = {
  at: new Date().toISOString(),
  node: process.version,
  raw,
  gateway,
  added,
  webhookLag,
  eventsAppendedPerSecond: await measureAppends(seconds),
  memoryPerProfileMiB,
  startUpMs: { first, again },
};
mkdirSync('bench-results', { recursive: true });
const file = `bench-results/${results.at.replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
console.log(`${table(results)}\n\nWritten to ${file}`);
process.exit(0);
