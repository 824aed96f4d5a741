// Broadcasts against direct sends of the same run: ten broadcasts on ten profiles without delays, and direct sends of one
// client of each profile to the same people, in turns; then direct sends beside a broadcast of their profile.
// BENCH_PROFILES (10), BENCH_PEOPLE (150: recipients of each broadcast), BENCH_TURNS (4), BENCH_MODES (standalone).
// Prints ratios and writes bench-results/campaigns-<time>.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { installDistributed } from '../distributed.ts';
import type { Installation } from '../installation.ts';
import { linkSenders, registerOwner } from '../load.ts';
import { startSimulatorProcess } from '../simulator-process.ts';
import { installStandalone } from '../standalone.ts';
import { besideBroadcast, type Beside } from './beside.ts';
import { broadcastSends, directSends, type Sends } from './broadcasting.ts';
import { audiencesOf } from './people.ts';
import { campaignsTable, type CampaignsResults } from './report.ts';

const profiles = Number(process.env['BENCH_PROFILES'] ?? 10);
const people = Number(process.env['BENCH_PEOPLE'] ?? 150);
const turns = Number(process.env['BENCH_TURNS'] ?? 4);
const modes = (process.env['BENCH_MODES'] ?? 'standalone').split(',');

const network = await startSimulatorProcess();
let running: Installation | undefined;
// Also when a measurement fails: nothing is left running.
process.on('exit', () => {
  network.stop();
  running?.abandon();
});
await network.control.configureNetwork({ decrypt: 'lazy' });

async function measure(installation: Installation): Promise<CampaignsResults['modes'][number]['figures']> {
  const senders = await linkSenders(installation, network, await registerOwner(installation), profiles);
  const audiences = await audiencesOf(installation, senders, people);
  // Everybody has a session with everybody from now on.
  await directSends(installation, audiences);
  await broadcastSends(installation, audiences);
  const [direct, broadcast]: [Sends[], Sends[]] = [[], []];
  for (let turn = 0; turn < turns; turn += 1) {
    const measured = [
      async () => direct.push(await directSends(installation, audiences)),
      async () => broadcast.push(await broadcastSends(installation, audiences)),
    ];
    for (const measureNext of turn % 2 === 0 ? measured : measured.toReversed()) await measureNext();
  }
  const [first] = audiences;
  const beside: Beside | undefined = first && (await besideBroadcast(installation, network, first));
  return { direct, broadcast, ...(beside !== undefined && { beside }) };
}

const results: CampaignsResults = { at: new Date().toISOString(), node: process.version, profiles, people, modes: [] };
for (const mode of modes) {
  running = mode === 'distributed' ? await installDistributed(network) : await installStandalone(network);
  if (running === undefined) continue;
  results.modes.push({ mode, figures: await measure(running) });
  await running.end();
  running = undefined;
}
mkdirSync('bench-results', { recursive: true });
const file = `bench-results/campaigns-${results.at.replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
console.log(`${campaignsTable(results)}\n\nWritten to ${file}`);
process.exit(0);
