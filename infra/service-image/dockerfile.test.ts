import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ValidationSeverity, validate } from 'dockerfile-utils';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const text = read('../service.Dockerfile');

describe('service.Dockerfile', () => {
  it('has no fault that the linter knows', () => {
    const faults = validate(text, {
      deprecatedMaintainer: ValidationSeverity.ERROR,
      directiveCasing: ValidationSeverity.ERROR,
      emptyContinuationLine: ValidationSeverity.ERROR,
      instructionCasing: ValidationSeverity.ERROR,
      instructionCmdMultiple: ValidationSeverity.ERROR,
      instructionEntrypointMultiple: ValidationSeverity.ERROR,
      instructionHealthcheckMultiple: ValidationSeverity.ERROR,
      instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
      instructionWorkdirRelative: ValidationSeverity.ERROR,
    });
    expect(faults.map(({ message, range }) => ({ line: range.start.line + 1, message }))).toEqual([]);
  });

  it('is built on the Node.js of package.json', () => {
    const { config } = JSON.parse(read('../../package.json')) as { config: { node: string } };
    const bases = [...text.matchAll(/^FROM (node:\S+)/gm)].map((match) => match[1]);
    expect([...new Set(bases)]).toEqual([`node:${config.node}-slim`]);
  });

  it('starts what it runs under an init, so that it ends when it is told to before it listens', () => {
    const entryPoints = [...text.matchAll(/^ENTRYPOINT (.*)$/gm)].map(
      (match) => JSON.parse(match[1] ?? '[]') as string[],
    );
    expect(entryPoints.map((words) => words.slice(0, 3))).toEqual([['tini', '--', 'node']]);
  });

  it('installs what it needs without running scripts of packages', () => {
    const installs = [...text.matchAll(/^RUN npm .*$/gm)].map(([line]) => line);
    expect(installs.length).toBeGreaterThan(0);
    expect(installs.filter((line) => !line.includes('--ignore-scripts'))).toEqual([]);
  });
});
