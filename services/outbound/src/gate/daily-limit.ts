import { Refused } from '@messaging-gateway/messaging';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import { dayOf, jakartaTimestamp, nextReset } from '../time/clock.ts';
import { placesTaken } from './send-gate.ts';
import type { LaneRecord } from './lane-records.ts';
import { policyStream } from './sending-policy.ts';

type Limited = Pick<LaneRecord, 'profileId' | 'organizationId' | 'policy' | 'count'>;

/** Answers and facts when a profile has reached its daily limit. */
export interface DailyLimit {
  /** The refusal of a send, with the fields of the exact 429. Tells the fact, too. */
  refusal(lane: Limited): Refused;
  /** Tells that the limit is reached, once a day; in the background, because no send waits for it. */
  tell(lane: Limited): void;
}

export function dailyLimit(store: EventStore, clock: Clock, log: Logger): DailyLimit {
  /** The day on which it was told last, so that a stream of refusals is not a stream of commands. */
  const toldOn = new Map<string, string>();

  const factsOf = ({ policy, count }: Limited) => {
    const now = clock.now();
    const limit = policy.dailyMessageLimit ?? 0;
    // When the limit was met there were so many at least, whatever was given back since.
    return { limit, count: Math.max(placesTaken(count, dayOf(now)), limit), resetAt: jakartaTimestamp(nextReset(now)) };
  };

  const tell: DailyLimit['tell'] = (lane) => {
    const { profileId, organizationId } = lane;
    const day = dayOf(clock.now());
    if (toldOn.get(profileId) === day) return;
    if (toldOn.size > 10_000) toldOn.clear();
    toldOn.set(profileId, day);
    const metadata = {
      organizationId,
      profileId,
      subject: `organization:${organizationId}`,
      actor: 'service:outbound',
    };
    store
      .handle(policyStream, profileId, { type: 'ReachDailyLimit', profileId, day, ...factsOf(lane) }, { metadata })
      .catch((error: unknown) => {
        toldOn.delete(profileId);
        log.warn('A daily limit that was reached could not be told', { profileId, reason: String(error) });
      });
  };

  return {
    tell,
    refusal: (lane) => {
      tell(lane);
      return new Refused('DAILY_LIMIT_REACHED', 'The profile has reached its daily message limit.', factsOf(lane));
    },
  };
}
