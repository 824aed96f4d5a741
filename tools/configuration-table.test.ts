import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { readmeWithTable } from './configuration-table.ts';

it('the README lists every setting as it is', () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readmeWithTable(text)).toBe(text);
});
