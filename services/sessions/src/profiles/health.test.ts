import { describe, expect, it } from '@jest/globals';
import { health, type HealthCommand, type HealthEvent, type Health } from './health.ts';

const profileId = '0198c0de-0000-7000-8000-000000000001';
const at = Date.parse('2026-01-01T10:00:00.000Z');
const hour = 3_600_000;
const iso = (time: number): string => new Date(time).toISOString();

const stateAfter = (events: readonly HealthEvent[]): Health => events.reduce(health.evolve, health.initial);
const decide = (command: object, given: readonly HealthEvent[] = []): readonly HealthEvent[] =>
  health.decide({ profileId, at, ...command } as HealthCommand, stateAfter(given));
const setUntil = (until: number, type = 'DEFAULT'): HealthEvent => ({
  type: 'RestrictionSet',
  data: { profileId, restriction: { type, since: iso(at), until: iso(until) } },
});
const refused = { type: 'SendRefused', data: { profileId, day: '2026-01-01', at: iso(at) } };
const refuse = { type: 'Restrict', restrictionType: 'DEFAULT', refusedOn: '2026-01-01' };

describe('health of an account', () => {
  it('is restricted for 24 h by a refused send whose end the network does not name', () => {
    expect(decide(refuse)).toEqual([setUntil(at + 24 * hour), refused]);
  });

  it('keeps a restriction that is in force when another send is refused', () => {
    expect(decide(refuse, [setUntil(at + hour, 'BIZ_QUALITY')])).toEqual([refused]);
  });

  it('takes the end and the type that the network reports, and the beginning of the restriction in force', () => {
    const reported = { type: 'Restrict', restrictionType: 'BIZ_QUALITY', until: at + 2 * hour, at: at + hour };
    expect(decide(reported, [setUntil(at + 24 * hour)])).toEqual([setUntil(at + 2 * hour, 'BIZ_QUALITY')]);
  });

  it('records a repeated report once', () => {
    const reported = { type: 'Restrict', restrictionType: 'BIZ_QUALITY', until: at + hour };
    expect(decide(reported, [setUntil(at + hour, 'BIZ_QUALITY')])).toEqual([]);
  });

  it('begins another restriction after the end of the one before', () => {
    const [event] = decide({ ...refuse, at: at + 2 * hour }, [setUntil(at + hour)]);
    expect(event?.data).toMatchObject({ restriction: { since: iso(at + 2 * hour), until: iso(at + 26 * hour) } });
  });

  it('ends at its end, not before, and once', () => {
    const given = [setUntil(at + hour)];
    expect(decide({ type: 'Expire', at: at + hour - 1 }, given)).toEqual([]);
    const ended = decide({ type: 'Expire', at: at + hour }, given);
    expect(ended).toEqual([{ type: 'RestrictionEnded', data: { profileId, reason: 'expired', at: iso(at + hour) } }]);
    expect(decide({ type: 'Expire', at: at + hour }, [...given, ...ended])).toEqual([]);
  });

  it('ends when the network lifts it; an account that is not restricted stays as it is', () => {
    expect(decide({ type: 'Lift' }, [setUntil(at + hour)])).toEqual([
      { type: 'RestrictionEnded', data: { profileId, reason: 'lifted', at: iso(at) } },
    ]);
    expect(decide({ type: 'Lift' })).toEqual([]);
  });

  it('records a quota of new chats when it changes', () => {
    const newChats = { status: 'capped', used: 10, quota: 10, cycleStart: null, cycleEnd: null };
    const reported = decide({ type: 'ReportNewChats', newChats });
    expect(reported).toEqual([{ type: 'NewChatsReported', data: { profileId, newChats } }]);
    expect(decide({ type: 'ReportNewChats', newChats }, reported)).toEqual([]);
  });
});
