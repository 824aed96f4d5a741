import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { webhooksPage } from './event-list.ts';

it('docs/webhooks.md has every event as its contract says', () => {
  const text = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  expect(webhooksPage(text)).toBe(text);
});
