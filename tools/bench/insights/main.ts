// What statistics cost and how fast they answer: an installation of one process with BENCH_MESSAGES (1000000) messages in 30 days, put into the
// inbox, from which statistics are made with `views:rebuild`; each route asked BENCH_REQUESTS (200) times over HTTP; news of BENCH_TAKEN (20000)
// messages taken in. BENCH_PARTS (all of `parts`). Prints a table and writes bench-results/insights-<time>.json.
// By how much a message costs more than before is asked with `npm run bench -- --against <commit>`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { startSimulatorProcess } from '../simulator-process.ts';
import { installStandalone } from '../standalone.ts';
import { statistics } from './statistics.ts';
import type { Part } from './part.ts';

/** Parts of the bench of insights. */
const parts: Readonly<Record<string, Part>> = { statistics };

const wanted = (process.env['BENCH_PARTS'] ?? Object.keys(parts).join(',')).split(',');
const network = await startSimulatorProcess();
const installation = await installStandalone(network, process.env['BENCH_DIRECTORY']);
// Also when a measurement fails: nothing is left running.
process.on('exit', () => {
  network.stop();
  installation.abandon();
});
const results: Record<string, unknown> = { at: new Date().toISOString(), node: process.version };
try {
  for (const name of wanted) {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no part ${name}: one of ${Object.keys(parts).join(', ')}.`);
    const { figures, lines } = await part({ network, installation });
    results[name] = figures;
    console.log([`${name}:`, ...lines].join('\n'));
  }
} finally {
  await installation.end();
  network.stop();
}
mkdirSync('bench-results', { recursive: true });
const file = `bench-results/insights-${String(results['at']).replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
console.log(`Written to ${file}`);
process.exit(0);
