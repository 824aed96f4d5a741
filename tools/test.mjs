// The project's test command: all tests, and the checks beside the first ones. With arguments: only the tests that they
// name.
import { spawn } from 'node:child_process';
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
const [failed, counts] = await Promise.all([names.length === 0 ? failedChecks() : [], runJest()]);
for (const name of failed) console.error('Check failed:', name);
const passed = checks.map(([name]) => name).filter((name) => !failed.includes(name));
if (names.length === 0) console.log('Checks passed:', passed.join(', '));
if (counts.skipped > 0) for (const line of counts.reasons) console.log('Skipped:', line);
const totals = [counts.passed, counts.failed + failed.length, counts.skipped].map(String);
console.log(`Tests: ${totals[0]} passed, ${totals[1]} failed, ${totals[2]} skipped`);
process.exit(counts.failed + failed.length + (counts.ok ? 0 : 1) === 0 ? 0 : 1);

/** One after the other: each of them uses all cores. */
async function failedChecks() {
  const found = [];
  for (const check of checks) if (!(await passes(check))) found.push(check[0]);
  return found;
}

async function passes([name, command, args]) {
  const { status, output } = await ended(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  console.log(status === 0 ? `ok   ${name}` : `FAIL ${name}`);
  if (status !== 0) console.log(output);
  return status === 0;
}

/** The exit code of a process, null after a signal, and what it printed to pipes. */
function ended(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (status) => resolve({ status, output }));
  });
}

async function runJest() {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
  const results = join(folder, 'results.json');
  const missing = join(folder, 'missing-servers.txt');
  const jest = spawn(
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
  const { status } = await ended(jest);
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
      ok: success && status === 0,
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, reasons: [], ok: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
