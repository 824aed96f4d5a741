import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ended } from '../ended.mjs';

/**
 * One run of Jest, which prints what it has to say itself.
 *
 * @param arguments_ names of tests, options of Jest
 * @param environment with `TEST_SECONDS`, when its time is limited
 * @returns `files` by path, each with `passed` and `skipped` (numbers of tests) and `failed` (names of tests; of a file
 *   that could not run, its path), `seconds`, and by test its `states` and the `reasons` of failures; `missing`, what servers were not there and what that skipped; `ok`, what Jest itself
 *   says
 */
export async function runJest(arguments_, environment) {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
  const results = join(folder, 'results.json');
  const missing = join(folder, 'missing-servers.txt');
  const jest = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--json',
      `--outputFile=${results}`,
      ...arguments_,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...environment, TEST_SERVERS_REPORT: missing } },
  );
  const end = () => void jest.kill('SIGTERM');
  process.once('SIGTERM', end);
  const time = environment.TEST_SECONDS && setTimeout(end, 1000 * environment.TEST_SECONDS);
  const { status } = await ended(jest);
  clearTimeout(time);
  process.off('SIGTERM', end);
  try {
    const { testResults, success } = JSON.parse(readFileSync(results, 'utf8'));
    return {
      files: new Map(testResults.map((file) => [file.name, outcome(file)])),
      missing: readFileSync(missing, 'utf8').split('\n').filter(Boolean),
      ok: success && status === 0,
    };
  } catch {
    return { files: new Map(), missing: [], ok: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outcome({ name, status, assertionResults, startTime, endTime }) {
  const having = (...which) => assertionResults.filter((test) => which.includes(test.status));
  const failed = having('failed').map(({ fullName }) => fullName);
  return {
    passed: having('passed').length,
    failed: status === 'failed' && failed.length === 0 ? [name] : failed,
    skipped: having('pending', 'skipped', 'todo', 'disabled').length,
    seconds: Math.round((endTime - startTime) / 1000),
    states: new Map(assertionResults.map((test) => [test.fullName, test.status])),
    reasons: new Map(
      assertionResults.map(({ fullName, failureMessages }) => [fullName, reasonIn(failureMessages ?? [])]),
    ),
  };
}

/** One line, without colours and without where it was. */
const reasonIn = (messages) =>
  stripVTControlCharacters(messages.join(' ').split(/\n\s+at /)[0] ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 600);
