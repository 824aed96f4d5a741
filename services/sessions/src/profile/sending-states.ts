import { ReadSendingStates, type AnswerOf } from '@messaging-gateway/contracts';
import type { Clock } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';

export type SendingState = AnswerOf<typeof ReadSendingStates>['items'][number];

const day = 86_400_000;
/** Asia/Jakarta is UTC+7 all year; the day of the limit is its day. */
const jakarta = 7 * 3_600_000;

/** What holds for a profile that outbound does not know yet. */
export function untouched(profileId: string, now: number): SendingState {
  const midnight = (Math.floor((now + jakarta) / day) + 1) * day - jakarta;
  return {
    profileId,
    messageDelayMs: 1500,
    dailyMessageLimit: null,
    dailyMessageCount: 0,
    dailyResetAt: new Date(midnight).toISOString(),
  };
}

/** The counters of some profiles, by id: one question for all of them. */
export async function sendingStates(
  { ask, clock }: { ask: ServiceTools<unknown>['ask']; clock: Clock },
  organizationId: string,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, SendingState>> {
  if (profileIds.length === 0) return new Map();
  const { items } = await ask(ReadSendingStates, { organizationId, profileIds: [...profileIds] });
  const known = new Map(items.map((item) => [item.profileId, item]));
  return new Map(profileIds.map((id) => [id, known.get(id) ?? untouched(id, clock.now())]));
}
