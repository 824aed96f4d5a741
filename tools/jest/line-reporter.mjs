import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const report = (text) => process.stderr.write(`${text}\n`);
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Jest's `reporters`: one line per file, and for a failed file the failures and what it printed.
 * Writes the results as JSON to the file that `TEST_RESULTS` names.
 * At SIGTERM (also sent after `TEST_SECONDS`) it reports the progress and which files are running, and ends the run.
 */
export default class LineReporter {
  #running = new Map();
  #done = { files: 0, passed: 0, failed: 0 };

  onRunStart({ numTotalTestSuites }) {
    process.once('SIGTERM', () => {
      const { files, passed, failed } = this.#done;
      const running = [...this.#running].map(([path, since]) => `${path} (${seconds(performance.now() - since)})`);
      report(
        `Time is up after ${files} of ${numTotalTestSuites} files (${passed} tests passed, ${failed} failed). Running: ${running.join(', ')}`,
      );
      process.exit(1);
    });
  }

  onRunComplete(_, { testResults }) {
    const files = testResults.map(({ testFilePath, testExecError, perfStats, testResults: tests }) => ({
      path: testFilePath,
      error: testExecError?.message,
      seconds: Math.round((perfStats.end - perfStats.start) / 1000),
      tests: tests.map(({ fullName, status, failureMessages }) => ({ fullName, status, failureMessages })),
    }));
    if (process.env.TEST_RESULTS !== undefined) writeFileSync(process.env.TEST_RESULTS, JSON.stringify({ files }));
  }

  onTestFileStart({ path }) {
    this.#running.set(relative('.', path), performance.now());
  }

  onTestFileResult({ path }, result) {
    const name = relative('.', path);
    this.#running.delete(name);
    const { numPassingTests, numFailingTests, numPendingTests, perfStats, testExecError, failureMessage } = result;
    this.#done.files += 1;
    this.#done.passed += numPassingTests;
    this.#done.failed += numFailingTests;
    const isFailed = numFailingTests > 0 || Boolean(testExecError);
    const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
    const duration = seconds(perfStats.end - perfStats.start);
    report(`${isFailed ? 'FAIL' : 'ok  '} ${name} (${numPassingTests} passed${skipped}, ${duration})`);
    if (!isFailed) return;
    for (const { message, origin } of result.console ?? []) report(`${message}\n${origin}`);
    report(failureMessage ?? String(testExecError?.message));
  }
}
