import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { silentLogger } from '@messaging-gateway/runtime';
import { libraryLogger } from './adaptations.ts';

describe('the log of the client library', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('stays small in a storm, and says how much it left out', () => {
    const lines: unknown[] = [];
    const log = {
      ...silentLogger,
      debug: (message: string, fields?: object) => void lines.push({ message, ...fields }),
    };
    const logger = libraryLogger(log);
    for (let number = 0; number < 10_000; number += 1)
      logger.child({}).error({ err: new Error('Bad MAC') }, 'not read');
    expect(lines).toHaveLength(20);
    jest.advanceTimersByTime(60_000);
    logger.warn({}, 'once more');
    expect(lines.slice(20)).toEqual([
      { message: 'client library', says: 'lines left out', count: 9_980 },
      { message: 'client library', says: 'once more', because: undefined },
    ]);
  });
});
