// What it costs to be answered by itself: messages that nothing answers, for automation alone on a PostgreSQL of its own;
// then contacts who write at a steady rate to profiles with a flow each, in one process on the simulated network.
// BENCH_PROFILES (10), BENCH_RATES (50: messages a second; several, separated by commas), BENCH_SECONDS (10).
// Prints figures beside what is aimed at and writes bench-results/automation-<time>.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { linkSenders, registerOwner } from '../load.ts';
import { startSimulatorProcess, type SimulatorProcess } from '../simulator-process.ts';
import { installStandalone, type Standalone } from '../standalone.ts';
import { answerAll, measureAnswering, type Answering } from './answering.ts';
import { measureLooking } from './looking.ts';
import { automationTable, type AutomationResults } from './report.ts';

const profiles = Number(process.env['BENCH_PROFILES'] ?? 10);
const rates = (process.env['BENCH_RATES'] ?? '50').split(',').map(Number);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);

let network: SimulatorProcess | undefined;
let running: Standalone | undefined;
// Also when a measurement fails: nothing is left running.
process.on('exit', () => {
  network?.stop();
  running?.abandon();
});

async function answering(): Promise<Answering[]> {
  network = await startSimulatorProcess();
  await network.control.configureNetwork({ decrypt: 'lazy' });
  running = await installStandalone(network);
  const senders = await linkSenders(running, network, await registerOwner(running), profiles);
  await answerAll(running, senders);
  const measured: Answering[] = [];
  for (const rate of rates) measured.push(await measureAnswering(running, network, senders, rate, seconds));
  await running.end();
  running = undefined;
  return measured;
}

// Here goes what knowledge costs: search by words and by meaning over 10,000 chunks, and what of the exact order it finds.
const results: AutomationResults = {
  at: new Date().toISOString(),
  node: process.version,
  looking: await measureLooking(),
  answering: await answering(),
};
mkdirSync('bench-results', { recursive: true });
const file = `bench-results/automation-${results.at.replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
console.log(`${automationTable(results)}\n\nWritten to ${file}`);
process.exit(0);
