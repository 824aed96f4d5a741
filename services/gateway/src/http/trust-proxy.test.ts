import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { warnOfProxy } from './observation.ts';

it('a proxy that is not believed is warned of once', () => {
  const said: string[] = [];
  const passing = warnOfProxy({ warn: (message) => said.push(message) });
  let passed = 0;
  const pass = (headers: Request['headers']): void =>
    void passing({ headers } as Request, {} as Response, () => (passed += 1));
  pass({});
  expect(said).toEqual([]);
  for (let n = 0; n < 3; n += 1) pass({ 'x-forwarded-for': '192.0.2.1' });
  expect(said).toEqual([expect.stringContaining('TRUST_PROXY')]);
  expect(passed).toBe(4);
});
