import { expect, it } from '@jest/globals';
import { csvOf } from './csv.ts';

it('writes rows as CSV, and no formulas', () =>
  expect(
    csvOf([
      ['Tag', 'Count'],
      ['a "b", c', 3],
      ['=1+1', null],
    ]),
  ).toBe('Tag,Count\r\n"a ""b"", c",3\r\n\'=1+1,\r\n'));
