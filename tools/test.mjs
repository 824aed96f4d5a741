// The project's test command.
// `npm test`: all tests but checks (`*.check.test.ts`, see `npm run check`) and trials (`*.trial.test.ts` and those that `trials.ts` lists).
// `TEST_TRIALS=true npm test`: also the trials that a change since the last release can affect; `TEST_EVERYTHING=true`: all trials.
// `npm test -- <path>`: only the files whose paths contain it, whatever their kind.
import { spawn } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { recordStage } from './ci-stages.mjs';
import { runJest } from './jest/run.mjs';
import { selectTrials, trials } from './trials.ts';

const begun = performance.now();
const names = process.argv.slice(2);
const environment = {
  ...process.env,
  NODE_ENV: 'test',
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/compile'),
};

if (names.length > 0) report(await runJest(names, environment), []);
else {
  spawn(process.execPath, ['tools/fill-compile-cache.mjs'], { stdio: 'ignore', env: environment });
  const selected = selectTrials(process.env);
  const alone = selected.filter((trial) => trial.alone === true);
  const left = trials.filter((trial) => !selected.includes(trial) || alone.includes(trial));
  const ignored = ['/node_modules/', '\\.check\\.test\\.ts$', ...left.map(({ file }) => `/${file}$`)];
  const run = await runJest(
    ignored.map((pattern) => `--testPathIgnorePatterns=${pattern}`),
    environment,
  );
  if (alone.length > 0) {
    const files = alone.map(({ file }) => file);
    const last = await runJest(['--runInBand', '--runTestsByPath', ...files], environment);
    for (const [path, result] of last.files) run.files.set(path, result);
    run.ok &&= last.ok;
  }
  report(
    run,
    trials.filter((trial) => !selected.includes(trial) && trial.ownStage !== true),
  );
}

/** @param notRun trials that the run did not select */
function report({ files, missing, ok }, notRun) {
  const results = [...files.values()];
  const sum = (count) => results.reduce((total, result) => total + count(result), 0);
  const counts = {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed.length),
    skipped: sum(({ skipped }) => skipped),
  };
  for (const [path, { skipped }] of files)
    if (skipped > 0) console.log('Skipped:', `${relative('.', path)}, ${skipped} tests`);
  if (counts.skipped > 0) for (const line of missing) console.log('Missing:', line);
  if (process.env.TEST_TRIALS === 'true')
    for (const { file, paths } of notRun)
      console.log('Not run:', `${file}: nothing has changed since the last release in ${paths.join(', ')}`);
  else if (notRun.length > 0)
    console.log(
      'Not run:',
      `${notRun.length} trials. TEST_TRIALS=true runs those that changes since the last release affect, TEST_EVERYTHING=true all`,
    );
  if (names.length === 0) console.log('Longest:', longest(files).join(', '));
  for (const { failed, reasons } of results)
    for (const test of failed) console.log('Failed:', `${test}: ${reasons.get(test)}`);
  const { passed, failed, skipped } = counts;
  recordStage({ seconds: (performance.now() - begun) / 1000, ...counts, notRun: notRun.length });
  console.log(`Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed === 0 && ok ? 0 : 1);
}

function longest(files) {
  return [...files]
    .toSorted(([, one], [, other]) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(([path, { seconds }]) => `${relative('.', path)} ${seconds} s`);
}
