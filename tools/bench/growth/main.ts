// Two installations of one process each, one with few messages stored and one with many, asked in turn on the simulated
// network. BENCH_MESSAGES (10000,1000000), BENCH_ROUNDS (10) of BENCH_REQUESTS (20) of each kind, BENCH_DIRECTORY (the
// system's for temporary files: the large one needs some 8 GB), BENCH_KEEP (true: both stay there, and are only asked
// from the second time on). Prints a table and writes bench-results/growth-<time>.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startSimulatorProcess } from '../simulator-process.ts';
import { installStandalone } from '../standalone.ts';
import { installGrown, type Grown } from './grown.ts';
import { installKept } from './kept.ts';
import { measureGrowth } from './measure.ts';
import { growthTable, type GrowthResults } from './report.ts';

const [few = 10_000, many = 1_000_000] = (process.env['BENCH_MESSAGES'] ?? '10000,1000000').split(',').map(Number);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 10);
const perRound = Number(process.env['BENCH_REQUESTS'] ?? 20);
const parent = process.env['BENCH_DIRECTORY'] ?? tmpdir();

const isKept = process.env['BENCH_KEEP'] === 'true';
const sizes = [few, many];

const network = await startSimulatorProcess('growth');
const running: Grown[] = [];
// Also when a measurement fails: nothing is left running.
process.on('exit', () => {
  network.stop();
  for (const { subject } of running) subject.installation.abandon();
});
await network.control.configureNetwork({ decrypt: 'lazy' });

try {
  for (const [number, messages] of sizes.entries()) {
    const grown = isKept
      ? await installKept(network, parent, messages, number)
      : await installGrown(network, await installStandalone(network, parent), messages, number);
    running.push(grown);
    const { megabytes, seconds, startUpMs } = grown.stored;
    console.log(`${messages} messages: ${megabytes} MB in ${seconds} s; started again in ${startUpMs} ms`);
  }
  const [small, large] = running as [Grown, Grown];
  const results: GrowthResults = {
    at: new Date().toISOString(),
    node: process.version,
    small: small.stored,
    large: large.stored,
    kinds: await measureGrowth(small.subject, large.subject, rounds, perRound),
  };
  mkdirSync('bench-results', { recursive: true });
  const file = `bench-results/growth-${results.at.replaceAll(':', '-')}.json`;
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  console.log(`${growthTable(results)}\n\nWritten to ${file}`);
} finally {
  for (const { subject } of running.splice(0))
    await (isKept ? subject.installation.stop() : subject.installation.end());
  network.stop();
}
process.exit(0);
