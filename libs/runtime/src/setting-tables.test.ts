import { expect, it } from '@jest/globals';
import { integer } from './setting-parsers.ts';
import { misspelt } from './misspelt.ts';
import { readSettingsTables, required } from './setting-tables.ts';

const port = { variable: 'PORT', byDefault: '1', means: 'Port.', read: integer(1, 0, 9) };
const url = { variable: 'URL', byDefault: 'none', means: 'Where.', read: (text: string | undefined) => text };
const tables = { one: { port, url }, two: { port, place: required(url) } };

it('tables are read together, each for itself', () => {
  expect(readSettingsTables(tables, { URL: 'x', PORT: '2' })).toEqual({
    one: { port: 2, url: 'x' },
    two: { port: 2, place: 'x' },
  });
});

it('a fault of several tables is named once', () => {
  expect(() => readSettingsTables(tables, { PORT: 'many' })).toThrow(
    'The configuration has 2 faults: PORT must be a whole number from 0 to 9; URL is required',
  );
});

it('variables that are nearly those of a setting are named', () => {
  const limit = { variable: 'RATE_LIMIT_GLOBAL', means: 'Limit.', read: (text: string | undefined) => text };
  const environment = { RATE_LIMIT_GOBAL: '1', PORTS: '2', URL: 'x', PATH: '/bin', LANG: 'C' };
  expect(misspelt({ ...tables, three: { limit } }, environment)).toEqual([
    { given: 'RATE_LIMIT_GOBAL', meant: 'RATE_LIMIT_GLOBAL' },
    { given: 'PORTS', meant: 'PORT' },
  ]);
});
