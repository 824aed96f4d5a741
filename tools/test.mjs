// The project's test command: types, and all tests but the trials (`*.trial.test.ts`), which take most of the time; with
// TEST_TRIALS=true these, too, and all checks. With arguments: only the tests that they name. What failed is tried once more by
// itself: see docs/decisions/0465-failed-tests-are-tried-again.md and 0821-trials-are-left-to-the-check.md.
import { spawn } from 'node:child_process';
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { allChecks, runChecks, typeChecks } from './checks.mjs';
import { runJest } from './jest/run.mjs';

const names = process.argv.slice(2);
/** Files that failed at first and were tried again, and the tests that then passed. */
const again = { files: /** @type {string[]} */ ([]), passed: /** @type {string[]} */ ([]) };
/** More failed files than this are no accident of a busy machine. */
const fewFiles = 4;

const compileCache = resolve('node_modules/.cache/compile');
const environment = { ...process.env, NODE_ENV: 'test', NODE_COMPILE_CACHE: compileCache };

if (names.length === 0)
  spawn(process.execPath, ['tools/fill-compile-cache.mjs'], { stdio: 'ignore', env: environment });
const withTrials = process.env.TEST_TRIALS === 'true';
const checks = withTrials ? allChecks : typeChecks;
/** What `.ci/run` tries by itself: this version beside the one before, and the way to it in a cluster. */
const alone = ['tools/distributed/previous', 'tools/kubernetes/rollouts'];
const leftOut = [
  '/node_modules/',
  ...alone.map((path) => `/${path}/`),
  ...(withTrials ? [] : ['\\.trial\\.test\\.ts$']),
];
const chosen = names.length > 0 ? names : leftOut.map((pattern) => `--testPathIgnorePatterns=${pattern}`);
const [failedChecks, run] = await Promise.all([
  names.length === 0 ? runChecks(checks) : [],
  runJest(chosen, environment),
]);
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
  if (names.length === 0 && !withTrials) console.log('Left out:', leftOutHere());
  if (longest.length > 0)
    console.log('Longest:', longest.map(([path, { seconds }]) => `${relative('.', path)} ${seconds} s`).join(', '));
  console.log('Tried again by themselves:', again.files.length === 0 ? 'none' : again.files.join(', '));
  for (const line of remarks(again.passed.map((test) => `Failed at first, then passed: ${test}`))) console.log(line);
  for (const { failed, reasons } of outcomes)
    for (const test of failed) console.log('Failed:', `${test}: ${reasons.get(test) ?? 'it could not run'}`);
  console.log(`Tests: ${sum((outcome) => outcome.passed)} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed === 0 && ok ? 0 : 1);
}

function leftOutHere() {
  const paths = globSync('{infra,libs,services,tools}/**/*.trial.test.ts', { exclude: ['**/node_modules'] });
  const others = allChecks.slice(checks.length).map(([name]) => name);
  const what = `${others.join(', ')} (npm run check), and ${paths.length} files of trials, which take most of the time`;
  return `${what}; TEST_TRIALS=true runs all, as .ci/run does`;
}

/** @returns also those of the runs before in a check that consists of several: `TEST_REMARKS` names its file of them */
function remarks(lines) {
  const file = process.env.TEST_REMARKS;
  if (file === undefined) return lines;
  appendFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
