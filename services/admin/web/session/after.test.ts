import { describe, expect, it } from '@jest/globals';
import { placeAfter } from './after.ts';

const here = 'https://gateway.example';

describe('the place after signing in', () => {
  it.each([
    ['/profiles?status=connected', '/profiles?status=connected'],
    ['/inbox/0198c0de-0000-7000-8000-000000000001', '/inbox/0198c0de-0000-7000-8000-000000000001'],
    [undefined, '/'],
    ['', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/..//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/sign-in?next=/x', '/'],
  ])('%s leads to %s', (next, place) => expect(placeAfter(next, here)).toBe(place));
});
