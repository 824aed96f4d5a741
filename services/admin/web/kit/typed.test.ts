import { describe, expect, it } from '@jest/globals';
import { limitIn } from './typed.ts';

describe('a limit that is typed', () => {
  it.each([
    ['', null],
    [' ', null],
    ['0', 0],
    [' 250 ', 250],
    ['many', 'many'],
    ['1e', '1e'],
  ])('%j is %j, in JSON too', (typed, limit) => {
    expect(JSON.parse(JSON.stringify({ limit: limitIn(typed) }))).toEqual({ limit });
  });
});
