// What statistics cost and how fast they answer: an installation of one process with BENCH_MESSAGES (1000000) messages in 30 days, put into the
// inbox, from which statistics are made with `views:rebuild`; each route asked BENCH_REQUESTS (200) times over HTTP; news of BENCH_TAKEN (20000)
// messages taken in. `telling`: BENCH_TOLD_PER_SECOND (10) messages a second for BENCH_SECONDS (20), of another chat each, until they are a notification
// on a stream and a push at a browser. `chatwoot`: BENCH_CHATWOOT_PER_SECOND (50) each way. BENCH_PARTS (all of `parts`), each on a new installation. Prints a table and writes bench-results/insights-<time>.json.
// By how much a message costs more than before is asked with `npm run bench -- --against <commit>`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPushService } from '@messaging-gateway/testing';
import { startSimulatorProcess, type SimulatorProcess } from '../simulator-process.ts';
import { installStandalone, type Standalone } from '../standalone.ts';
import { chatwoot } from './chatwoot.ts';
import type { Part } from './part.ts';
import { statistics } from './statistics.ts';
import { telling } from './telling.ts';

/** Parts of the bench of insights. */
const parts: Readonly<Record<string, Part>> = { telling, chatwoot, statistics };

const wanted = (process.env['BENCH_PARTS'] ?? Object.keys(parts).join(',')).split(',');
const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-bench-authority-'));
const pushService = await startPushService();
process.env['NODE_EXTRA_CA_CERTS'] = join(folder, 'authority.pem');
writeFileSync(process.env['NODE_EXTRA_CA_CERTS'], pushService.authority);

let network: SimulatorProcess | undefined;
let installation: Standalone | undefined;
// Also when a measurement fails: nothing is left running.
process.on('exit', () => {
  network?.stop();
  installation?.abandon();
  rmSync(folder, { recursive: true });
});
const results: Record<string, unknown> = { at: new Date().toISOString(), node: process.version };
for (const name of wanted) {
  const part = parts[name];
  if (part === undefined) throw new Error(`There is no part ${name}: one of ${Object.keys(parts).join(', ')}.`);
  network = await startSimulatorProcess();
  installation = await installStandalone(network, process.env['BENCH_DIRECTORY']);
  try {
    const { figures, lines } = await part({ network, installation, pushService });
    results[name] = figures;
    console.log([`${name}:`, ...lines].join('\n'));
  } finally {
    await installation.end();
    installation = undefined;
    network.stop();
  }
}
await pushService.stop();
mkdirSync('bench-results', { recursive: true });
const file = `bench-results/insights-${String(results['at']).replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
console.log(`Written to ${file}`);
process.exit(0);
