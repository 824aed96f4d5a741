import { describe, expect, it } from '@jest/globals';
import { ConnectionSight } from './connection.ts';

const now = 1_000_000;

describe('the connection as a lane sees it', () => {
  it('follows the latest news, in whatever order they come', () => {
    const sight = new ConnectionSight();
    expect(sight.told(true, '005', now)).toBe(true);
    expect(sight.told(false, '004', now)).toBe(false);
    expect(sight.state).toBe('connected');
    sight.told(false, '006', now);
    expect(sight.state).toBe('disconnected');
    expect(sight.told(true, '007', now)).toBe(true);
    expect(sight.told(true, '008', now)).toBe(false);
  });

  it('takes no refusal for the last word when the connection came back meanwhile', () => {
    const sight = new ConnectionSight();
    const { readies } = sight;
    sight.told(true, '001', now);
    sight.refused(readies, now);
    expect(sight.state).toBe('connected');
    sight.refused(sight.readies, now);
    expect(sight.state).toBe('disconnected');
  });

  it('looks again after a while, should it have missed the news', () => {
    const sight = new ConnectionSight();
    sight.seen(false, now);
    sight.lookAgain(sight.lookAgainAt - 1);
    expect(sight.state).toBe('disconnected');
    sight.lookAgain(sight.lookAgainAt);
    expect(sight.state).toBe('unknown');
  });
});
