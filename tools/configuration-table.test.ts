import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { configurationPage } from './configuration-table.ts';

it('docs/configuration.md lists every setting as it is', () => {
  const text = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
  expect(configurationPage(text)).toBe(text);
});
