import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ended } from '../ended.mjs';

/**
 * Runs Jest, which prints one line per file.
 *
 * @param arguments_ names of tests, options of Jest
 * @param environment with `TEST_SECONDS`, when its time is limited
 * @returns `files` by path, each with `passed` and `skipped` (numbers of tests), `failed` (names of tests; of a
 *   file that could not be loaded, its path), `seconds`, and `reasons` (of failures, by name of the test); `missing`, one line for each
 *   server that is not there; `ok`, whether Jest ended with exit code 0
 */
export async function runJest(arguments_, environment) {
  const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-results-'));
  const results = join(folder, 'results.json');
  const missing = join(folder, 'missing-servers.txt');
  const jest = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', ...arguments_],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...environment, TEST_SERVERS_REPORT: missing, TEST_RESULTS: results },
    },
  );
  const end = () => void jest.kill('SIGTERM');
  process.once('SIGTERM', end);
  const time = environment.TEST_SECONDS && setTimeout(end, 1000 * environment.TEST_SECONDS);
  const { status } = await ended(jest);
  clearTimeout(time);
  process.off('SIGTERM', end);
  try {
    const { files } = JSON.parse(readFileSync(results, 'utf8'));
    return {
      files: new Map(files.map((file) => [file.path, summary(file)])),
      missing: readFileSync(missing, 'utf8').split('\n').filter(Boolean),
      ok: status === 0,
    };
  } catch {
    return { files: new Map(), missing: [], ok: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function summary({ path, error, seconds, tests }) {
  const having = (...which) => tests.filter(({ status }) => which.includes(status));
  const failed = error === undefined ? having('failed') : [{ fullName: path, failureMessages: [error] }];
  return {
    passed: having('passed').length,
    failed: failed.map(({ fullName }) => fullName),
    skipped: having('pending', 'skipped', 'todo', 'disabled').length,
    seconds,
    reasons: new Map(failed.map(({ fullName, failureMessages }) => [fullName, reasonIn(failureMessages)])),
  };
}

/** The first failure in one line, without colours and stack trace. */
const reasonIn = (messages) =>
  stripVTControlCharacters(messages.join(' ').split(/\n\s+at /)[0] ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 600);
