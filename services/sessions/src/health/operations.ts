import { type GetProfileHealth, QueryHealth, ReadSendingStates } from '@messaging-gateway/contracts';
import type { InputOf, ServiceTools } from '@messaging-gateway/service';
import type { SessionsSettings } from '../config.ts';
import { dayOf } from '../profiles/limit-day.ts';
import { callersProfile } from '../profiles/profile-table.ts';
import { readHealth } from '../profiles/health-table.ts';
import { numberChecksOn, readSendingLimits, strangersPerDay, warmupOn } from '../profiles/sending-limits.ts';

/** `GET /profiles/:id/health` */
export async function getProfileHealth(
  tools: ServiceTools<SessionsSettings>,
  { params: { id: profileId }, query: { fresh = false }, caller, context }: InputOf<typeof GetProfileHealth>,
) {
  const { ask, clock, sql } = tools;
  const { organizationId } = caller;
  const { status } = await callersProfile(sql, caller, profileId);
  if (fresh && status === 'connected')
    await ask(QueryHealth, { organizationId, profileId }, { route: profileId, deadline: context.deadline });
  const now = clock.now();
  const day = dayOf(now);
  const [recordOf, limitsOf, numberChecks, { items }] = await Promise.all([
    readHealth(sql, [profileId], now),
    readSendingLimits(sql, [profileId]),
    numberChecksOn(sql, profileId, day),
    ask(ReadSendingStates, { organizationId, profileIds: [profileId] }),
  ]);
  const limits = limitsOf(profileId);
  const { restriction, newChats, refusedOn, checkedAt } = recordOf(profileId);
  const [sending] = items;
  return {
    checkedAt: checkedAt?.toISOString() ?? null,
    restriction: restriction ?? null,
    newChats: newChats ?? null,
    today: {
      sent: sending?.dailyMessageCount ?? 0,
      strangers: sending?.strangersToday ?? 0,
      refused: refusedOn(day),
      unknownNumbers: sending?.unknownNumbersToday ?? 0,
      numberChecks,
    },
    limits: {
      daily: sending?.dailyMessageLimit ?? null,
      strangers: strangersPerDay(limits, now) ?? null,
      numberChecks: limits.limits.numberChecksPerDay,
    },
    warmup: warmupOn(limits, now) ?? null,
  };
}
