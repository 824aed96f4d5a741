import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Jest's, as it gives them to every test file; this library is also used outside of Jest. */
const jest = globalThis as unknown as {
  describe: ((name: string, body: () => void) => void) & { skip(name: string, body: () => void): void };
};

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Program of the browser that tests drive: `TEST_CHROMIUM`, else what is installed; undefined where there is none. */
function browserProgram(): string | undefined {
  const given = process.env['TEST_CHROMIUM'];
  if (given !== undefined) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Message of the test command where there is no browser; undefined where there is one. */
export const missingBrowser = (): string | undefined =>
  browserProgram() === undefined
    ? "There is no browser: pages are not tried. Install Debian's chromium, or name one in TEST_CHROMIUM"
    : undefined;

/** `describe` of tests in a real browser; they are skipped where there is none, and the test command says so. */
export function describeWithBrowser(name: string, body: (program: string) => void): void {
  const program = browserProgram();
  if (program === undefined) jest.describe.skip(`${name} (without a browser)`, () => body(''));
  else jest.describe(name, () => body(program));
}
