// How the pages are to use: scrolling with BENCH_STORED (100000) conversations, as many messages in one chat; a file of BENCH_ROWS (100000)
// contacts, with a connection that is lost in its middle; how soon a message and a QR code are there; what Lighthouse says of a telephone. In the
// browser that tests use. BENCH_PARTS (all of `parts`). Prints a table and writes bench-results/admin-<time>.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { browserProgram } from '@messaging-gateway/testing';
import { startAdminWorld } from '../../../services/admin/end-to-end/world.ts';
import { appearing } from './appearing.ts';
import { importing } from './importing.ts';
import { lighthouse } from './lighthouse.ts';
import type { Part } from './part.ts';
import { scrolling } from './scrolling.ts';

/** Parts of the bench of pages. */
const parts: Readonly<Record<string, Part>> = { appearing, scrolling, importing, lighthouse };

const program = browserProgram();
if (program === undefined)
  throw new Error("There is no browser: install Debian's chromium, or name one in TEST_CHROMIUM.");
const wanted = (process.env['BENCH_PARTS'] ?? Object.keys(parts).join(',')).split(',');
const load = (): string => (loadavg()[0] ?? 0).toFixed(1);
const results: Record<string, unknown> = { at: new Date().toISOString(), node: process.version, load: load() };
const world = await startAdminWorld(program);
// Also when a measurement fails: nothing is left running.
process.on('exit', () => world.gateway.signal('SIGTERM'));
try {
  for (const name of wanted) {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no part ${name}: one of ${Object.keys(parts).join(', ')}.`);
    const { figures, lines } = await part(world);
    results[name] = figures;
    console.log([`${name} (load ${load()}):`, ...lines].join('\n'));
  }
} finally {
  await world.end();
}
mkdirSync('bench-results', { recursive: true });
const file = `bench-results/admin-${String(results['at']).replaceAll(':', '-')}.json`;
writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
console.log(`Written to ${file}`);
process.exit(0);
