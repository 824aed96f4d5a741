import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { ValidationSeverity, validate } from 'dockerfile-utils';

it('service.Dockerfile has no fault that the linter knows', () => {
  const text = readFileSync(fileURLToPath(new URL('../service.Dockerfile', import.meta.url)), 'utf8');
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
