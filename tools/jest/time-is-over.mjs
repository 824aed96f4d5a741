import { relative } from 'node:path';

/** Reporter that ends a run at SIGTERM, and says what it had done by then and what it was at. */
export default class TimeIsOver {
  #running = new Map();
  #done = { files: 0, passed: 0, failed: 0 };

  onRunStart({ numTotalTestSuites }) {
    process.once('SIGTERM', () => {
      const { files, passed, failed } = this.#done;
      const running = [...this.#running].map(
        ([path, since]) => `${path} (${Math.round((performance.now() - since) / 1000)} s)`,
      );
      process.stderr.write(
        `The time is over at ${files} of ${numTotalTestSuites} files (${passed} tests passed, ${failed} failed). Running: ${running.join(', ')}\n`,
      );
      process.exit(1);
    });
  }

  onTestFileStart({ path }) {
    this.#running.set(relative('.', path), performance.now());
  }

  onTestFileResult({ path }, { numPassingTests, numFailingTests }) {
    this.#running.delete(relative('.', path));
    this.#done.files += 1;
    this.#done.passed += numPassingTests;
    this.#done.failed += numFailingTests;
  }
}
