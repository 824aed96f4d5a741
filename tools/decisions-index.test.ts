import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { decisionsIndex } from './decisions-index.ts';

it('the index of decisions lists every record as it is', () => {
  const text = readFileSync(new URL('../docs/decisions/README.md', import.meta.url), 'utf8');
  expect(decisionsIndex()).toBe(text);
});
