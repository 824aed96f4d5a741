import { describe, expect, it } from '@jest/globals';
import { databaseError, isLost, isUnavailable, Unavailable } from './unavailable.ts';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

/** How errors are taken: the connection is lost, the statement had no effect and may be tried again, or is at fault. */
const taken: readonly (readonly [what: string, error: Error, as: 'lost' | 'not now' | 'fault'])[] = [
  ['connection refused', withCode('ECONNREFUSED'), 'lost'],
  ['connection reset', withCode('ECONNRESET'), 'lost'],
  ['wrong password', withCode('28P01'), 'lost'],
  ['terminated by the operator', withCode('57P01'), 'lost'],
  ['connection failure', withCode('08006'), 'lost'],
  ['too many connections', withCode('53300'), 'lost'],
  ['no answer to a statement', new Error('Query read timeout'), 'lost'],
  ['connection ended', new Error('Connection terminated unexpectedly'), 'lost'],
  ['read-only', withCode('25006'), 'not now'],
  ['idle in a transaction', withCode('25P03'), 'not now'],
  ['transaction too long', withCode('25P04'), 'not now'],
  ['not serializable', withCode('40001'), 'not now'],
  ['deadlock', withCode('40P01'), 'not now'],
  ['disk full', withCode('53100'), 'not now'],
  ['out of memory', withCode('53200'), 'not now'],
  ['cancelled', withCode('57014'), 'not now'],
  ['unique violation', withCode('23505'), 'fault'],
  ['no such table', withCode('42P01'), 'fault'],
  ['transaction that failed before', withCode('25P02'), 'fault'],
  ['a text about a timeout', new Error('Not a Query read timeout'), 'fault'],
];

it.each(taken)('%s', (_what, error, as) => {
  for (const thrown of [error, new Error('wrapped', { cause: error })])
    expect([isLost(thrown), isUnavailable(thrown)]).toEqual([as === 'lost', as !== 'fault']);
  expect(databaseError(error) instanceof Unavailable).toBe(as !== 'fault');
});

describe('the error of a database that is away', () => {
  it('has its reason', () =>
    expect(databaseError(withCode('25006'))).toMatchObject({ message: 'The database is not available: x' }));

  it('is told once', () => {
    const error = new Unavailable('Away');
    expect(databaseError(error)).toBe(error);
  });
});
