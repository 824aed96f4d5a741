// The project's test command: checks first, then all tests. With arguments: only the tests that they name.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const names = process.argv.slice(2);
const bin = (name) => join('node_modules', '.bin', name);
const checks = [
  ['types', bin('tsc'), ['--noEmit', '-p', '.']],
  ['lint', bin('oxlint'), ['--type-aware']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['unused code', bin('knip'), []],
];

const compileCache = resolve('node_modules/.cache/compile');
const environment = { ...process.env, NODE_ENV: 'test', NODE_COMPILE_CACHE: compileCache };

if (names.length === 0)
  spawn(process.execPath, ['tools/fill-compile-cache.mjs'], { stdio: 'ignore', env: environment });
const failed = names.length === 0 ? checks.filter((check) => !passes(check)).map(([name]) => name) : [];
const counts = runJest();
for (const name of failed) console.error('Check failed:', name);
const passed = checks.map(([name]) => name).filter((name) => !failed.includes(name));
if (names.length === 0) console.log('Checks passed:', passed.join(', '));
if (counts.skipped > 0) for (const line of counts.reasons) console.log('Skipped:', line);
const totals = [counts.passed, counts.failed + failed.length, counts.skipped].map(String);
console.log(`Tests: ${totals[0]} passed, ${totals[1]} failed, ${totals[2]} skipped`);
process.exit(counts.failed + failed.length + (counts.ok ? 0 : 1) === 0 ? 0 : 1);

function passes([name, command, args]) {
  const done = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  const ok = done.status === 0;
  console.log(ok ? `ok   ${name}` : `FAIL ${name}`);
  if (!ok) console.log(done.stdout + done.stderr);
  return ok;
}

function runJest() {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
  const results = join(folder, 'results.json');
  const missing = join(folder, 'missing-servers.txt');
  const done = spawnSync(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--json',
      `--outputFile=${results}`,
      ...names,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...environment, TEST_SERVERS_REPORT: missing } },
  );
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, success } = JSON.parse(
      readFileSync(results, 'utf8'),
    );
    const failedSuites = numFailedTests === 0 ? numFailedTestSuites : 0;
    return {
      passed: numPassedTests,
      failed: numFailedTests + failedSuites,
      skipped: numPendingTests,
      reasons: readFileSync(missing, 'utf8').split('\n').filter(Boolean),
      ok: success && done.status === 0,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, reasons: [], ok: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
