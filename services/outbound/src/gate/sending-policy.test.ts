import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import { sendingPolicy, type PolicyCommand, type PolicyEvent } from './sending-policy.ts';

const given = specification(sendingPolicy);
const profileId = '0198c0de-0000-7000-8000-000000000001';
const organizationId = '0198c0de-0000-7000-8000-000000000002';
const apply = (policy: { messageDelayMs?: number; dailyMessageLimit?: number | null } = {}): PolicyCommand => ({
  type: 'ApplyPolicy',
  profileId,
  organizationId,
  ...policy,
});
const applied = (messageDelayMs: number, dailyMessageLimit?: number): PolicyEvent => ({
  type: 'SendingPolicyApplied',
  data: { profileId, organizationId, messageDelayMs, ...(dailyMessageLimit !== undefined && { dailyMessageLimit }) },
});
const told = { day: '2026-01-01', limit: 20, count: 20, resetAt: '2026-01-02T00:00:00+07:00' };
const reach = (day: string): PolicyCommand => ({ type: 'ReachDailyLimit', profileId, ...told, day });
const reached: PolicyEvent = { type: 'DailyLimitReached', data: { profileId, ...told } };
const closed: PolicyEvent = { type: 'LaneClosed', data: { profileId, organizationId, messageDelayMs: 1500 } };

describe('a lane', () => {
  it('starts with a delay of 1.5 s and no limit', () => given().when(apply()).then(applied(1500)));
  it('takes what is given at the start', () =>
    given()
      .when(apply({ messageDelayMs: 0, dailyMessageLimit: 0 }))
      .then(applied(0, 0)));
  it('changes only what is given', () =>
    given(applied(1500, 20))
      .when(apply({ messageDelayMs: 10 }))
      .then(applied(10, 20)));
  it('loses its limit by null', () =>
    given(applied(1500, 20))
      .when(apply({ dailyMessageLimit: null }))
      .then(applied(1500)));
  it('is left alone by the same policy again', () =>
    given(applied(1500, 20))
      .when(apply({ dailyMessageLimit: 20 }))
      .thenNothing());
  it('belongs to one organization', () =>
    given(applied(1500)).when({ type: 'ApplyPolicy', profileId, organizationId: profileId }).thenRefused('NOT_FOUND'));

  it('is made with the defaults unless it is there already', () => {
    given().when({ type: 'MakeLane', profileId, organizationId }).then(applied(1500));
    given(applied(10, 20)).when({ type: 'MakeLane', profileId, organizationId }).thenNothing();
    given(applied(10), closed).when({ type: 'MakeLane', profileId, organizationId }).thenNothing();
  });

  it('tells once a day that its limit is reached', () => {
    given(applied(1500, 20)).when(reach('2026-01-01')).then(reached);
    given(applied(1500, 20), reached).when(reach('2026-01-01')).thenNothing();
    given(applied(1500, 20), reached, applied(10, 20)).when(reach('2026-01-01')).thenNothing();
    given(applied(1500, 20), reached)
      .when(reach('2026-01-02'))
      .then({ type: 'DailyLimitReached', data: { ...reached.data, day: '2026-01-02' } });
  });

  it('is closed once, for good', () => {
    given(applied(1500)).when({ type: 'CloseLane', profileId }).then(closed);
    given(applied(1500), closed).when({ type: 'CloseLane', profileId }).thenNothing();
    given().when({ type: 'CloseLane', profileId }).thenNothing();
    given(applied(1500), closed).when(apply()).thenRefused('NOT_FOUND');
  });
});
