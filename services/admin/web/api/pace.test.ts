import { describe, expect, it } from '@jest/globals';
import { Pace } from './pace.ts';

describe('the pace of reads', () => {
  it('knows no wait before the API has spoken', () => expect(new Pace().take(0)).toBe(0));

  it('waits for the limit that is used up, and keeps some requests for writes', () => {
    const pace = new Pace();
    pace.note('"global"; r=900; t=40, "credential"; r=5; t=12', 1_000);
    expect([pace.take(1_000), pace.take(1_000), pace.take(1_000)]).toEqual([0, 0, 12_000]);
    expect(pace.take(13_000)).toBe(0);
  });

  it('is not held up by limits of logins and passwords', () => {
    const pace = new Pace();
    pace.note('"auth"; r=0; t=60, "failed-email"; r=0; t=900', 0);
    expect(pace.take(0)).toBe(0);
  });
});
