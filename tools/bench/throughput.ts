// The gateway, in one process and over the brokers, against the engine's library alone, in one run on the simulated
// network. Each figure follows a warm-up of the same length. BENCH_PROFILES (1,10,50), BENCH_CLIENTS (1,4: requests in
// flight for each profile, and sends in flight on each socket of the library), BENCH_SECONDS (6), BENCH_MODES (standalone,distributed).
// Prints a table and writes bench-results/<time>.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { measureAppends } from './appends.ts';
import { installDistributed } from './distributed.ts';
import type { Installation } from './installation.ts';
import { measureMode, type Measuring } from './measure-mode.ts';
import { libraryAlone } from './library-alone.ts';
import type { BenchResults, ModeResult } from './results.ts';
import { startSimulatorProcess } from './simulator-process.ts';
import { installStandalone } from './standalone.ts';
import { table } from './table.ts';

const counts = (process.env['BENCH_PROFILES'] ?? '1,10,50').split(',').map(Number);
const clients = (process.env['BENCH_CLIENTS'] ?? '1,4').split(',').map(Number);
const modes = (process.env['BENCH_MODES'] ?? 'standalone,distributed').split(',');
const seconds = Number(process.env['BENCH_SECONDS'] ?? 6);

const network = await startSimulatorProcess();
let running: Installation | undefined;
// Also when a measurement fails: nothing is left running.
process.on('exit', () => {
  network.stop();
  running?.abandon();
});
// The simulated contacts decrypt when they are asked: the bench is about the gateway.
await network.control.configureNetwork({ decrypt: 'lazy' });

async function measured(installation: Installation | undefined, measuring: Measuring): Promise<ModeResult | undefined> {
  if (installation === undefined) return undefined;
  running = installation;
  const result = await measureMode(installation, measuring);
  await installation.end();
  running = undefined;
  return result;
}

const measuring = {
  network,
  counts,
  clients,
  seconds,
  raw: (sockets: number, inFlight: number) => libraryAlone(network, sockets, inFlight, seconds),
};
const first = await installStandalone(network);
running = first;
const again = await first.again();
const standalone = await measured(again, measuring);
if (standalone === undefined) throw new Error('The single process was not measured.');
const overBrokers = modes.includes('distributed') ? await installDistributed(network) : undefined;
const distributed = await measured(overBrokers, measuring);
network.stop();

const results: BenchResults = {
  at: new Date().toISOString(),
  node: process.version,
  standalone,
  ...(distributed !== undefined && { distributed }),
  eventsAppendedPerSecond: await measureAppends(seconds),
  startUpMs: { first: first.startUpMs, again: again.startUpMs },
};
mkdirSync('bench-results', { recursive: true });
const file = `bench-results/${results.at.replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
console.log(`${table(results)}\n\nWritten to ${file}`);
process.exit(0);
