// The project's test command: the checks, and all tests but the trials (`*.trial.test.ts`), which take most of the time; with
// TEST_TRIALS=true these, too. With arguments: only the tests that they name. What failed is tried once more by itself: see
// docs/decisions/0465-failed-tests-are-tried-again.md and 0821-trials-are-left-to-the-check.md.
import { spawn } from 'node:child_process';
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ended } from './ended.mjs';
import { runJest } from './jest/run.mjs';

const names = process.argv.slice(2);
const bin = (name) => join('node_modules', '.bin', name);
/** What has not changed since the last run is not looked at again. */
const types = (project, name) => {
  const kept = `node_modules/.cache/tsc/${name}.tsbuildinfo`;
  return ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', kept];
};
const checks = [
  ['types', bin('tsc'), types('.', 'project')],
  ['types of pages', bin('tsc'), types('services/admin', 'pages')],
  ['lint', bin('oxlint'), ['--type-aware']],
  ['format', bin('oxfmt'), ['--check', '.']],
  ['unused code', bin('knip'), []],
];
/** Files that failed at first and were tried again, and the tests that then passed. */
const again = { files: /** @type {string[]} */ ([]), passed: /** @type {string[]} */ ([]) };
/** More failed files than this are no accident of a busy machine. */
const fewFiles = 4;

const compileCache = resolve('node_modules/.cache/compile');
const environment = { ...process.env, NODE_ENV: 'test', NODE_COMPILE_CACHE: compileCache };

if (names.length === 0)
  spawn(process.execPath, ['tools/fill-compile-cache.mjs'], { stdio: 'ignore', env: environment });
const withTrials = process.env.TEST_TRIALS === 'true';
/** What `.ci/run` tries by itself: this version beside the one before, and the way to it in a cluster. */
const alone = ['tools/distributed/previous', 'tools/kubernetes/rollouts'];
const leftOut = [
  '/node_modules/',
  ...alone.map((path) => `/${path}/`),
  ...(withTrials ? [] : ['\\.trial\\.test\\.ts$']),
];
const chosen = names.length > 0 ? names : leftOut.map((pattern) => `--testPathIgnorePatterns=${pattern}`);
const [failedChecks, run] = await Promise.all([names.length === 0 ? runChecks() : [], runJest(chosen, environment)]);
await tryAgain(run);
report(run, failedChecks);

/** Replaces the outcome of the files that failed, when they are few, by that of another run without company. */
async function tryAgain(run) {
  const failed = [...run.files].filter(([, file]) => file.failed.length > 0);
  if (failed.length === 0 || failed.length > fewFiles) return;
  again.files.push(...failed.map(([path]) => relative('.', path)));
  const paths = failed.map(([path]) => path);
  const second = await runJest(['--runInBand', '--runTestsByPath', ...paths], environment);
  for (const [path, first] of failed) {
    const file = second.files.get(path) ?? first;
    run.files.set(path, file);
    for (const test of first.failed)
      if (file.states.get(test) === 'passed') again.passed.push(`${test}: ${first.reasons.get(test) ?? ''}`);
  }
  run.ok = second.ok;
}

function report({ files, missing, ok }, failedChecks) {
  const outcomes = [...files.values()];
  const longest = [...files]
    .toSorted(([, one], [, other]) => other.seconds - one.seconds)
    .slice(0, names.length > 0 ? 0 : 10);
  const sum = (numberOf) => outcomes.reduce((total, outcome) => total + numberOf(outcome), 0);
  const failed = sum((outcome) => outcome.failed.length) + failedChecks.length;
  const skipped = sum((outcome) => outcome.skipped);
  for (const name of failedChecks) console.error('Check failed:', name);
  const passedChecks = checks.map(([name]) => name).filter((name) => !failedChecks.includes(name));
  if (names.length === 0) console.log('Checks passed:', passedChecks.join(', '));
  if (skipped > 0) for (const line of missing) console.log('Skipped:', line);
  if (names.length === 0 && !withTrials) console.log('Left out:', trials());
  if (longest.length > 0)
    console.log('Longest:', longest.map(([path, { seconds }]) => `${relative('.', path)} ${seconds} s`).join(', '));
  console.log('Tried again by themselves:', again.files.length === 0 ? 'none' : again.files.join(', '));
  for (const line of remarks(again.passed.map((test) => `Failed at first, then passed: ${test}`))) console.log(line);
  for (const { failed, reasons } of outcomes)
    for (const test of failed) console.log('Failed:', `${test}: ${reasons.get(test) ?? 'it could not run'}`);
  console.log(`Tests: ${sum((outcome) => outcome.passed)} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed === 0 && ok ? 0 : 1);
}

function trials() {
  const paths = globSync('{infra,libs,services,tools}/**/*.trial.test.ts', { exclude: ['**/node_modules'] });
  return `${paths.length} files of trials, which take most of the time; TEST_TRIALS=true runs them too, as .ci/run does`;
}

/** @returns also those of the runs before in a check that consists of several: `TEST_REMARKS` names its file of them */
function remarks(lines) {
  const file = process.env.TEST_REMARKS;
  if (file === undefined) return lines;
  appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** One after the other: each of them uses all cores. @returns the names of those that failed */
async function runChecks() {
  const failed = [];
  for (const check of checks) if (!(await passes(check))) failed.push(check[0]);
  return failed;
}

async function passes([name, command, args]) {
  const { status, output } = await ended(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  console.log(status === 0 ? `ok   ${name}` : `FAIL ${name}`);
  if (status !== 0) console.log(output);
  return status === 0;
}
