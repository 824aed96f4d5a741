import { TellLane } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { Ownership } from './ownership.ts';

type News = Static<(typeof TellLane)['body']>;

/** An owner that cannot be reached for so long has let go of its lanes, or the brokers are away, milliseconds. */
const patience = 8000;
const pause = 200;

/** Tells the owners of lanes in other replicas what this one has learnt. */
export interface OwnerNews {
  /**
   * Returns when the owner knows, or when nobody owns the lane: whoever takes it reads it anew.
   *
   * @throws Refused SERVICE_UNAVAILABLE when an owner lives that cannot be reached
   */
  tell(news: News): Promise<void>;
  /** The same in the background: the owner finds out by itself later. */
  mention(news: News): void;
}

export function ownerNews(
  ownership: Ownership,
  { ask, clock, log }: Pick<ServiceTools<unknown>, 'ask'> & { clock: Clock; log: Logger },
): OwnerNews {
  const isTold = async (news: News): Promise<boolean> => {
    const owner = await ownership.ownerOf(news.profileId);
    if (owner === undefined || owner === ownership.replicaId) return true;
    try {
      await ask(TellLane, news, { route: owner, holdMs: 0 });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.code === 'SERVICE_UNAVAILABLE') return false;
      throw error;
    }
  };
  const tell = async (news: News): Promise<void> => {
    if (ownership.isAlone) return;
    for (const begun = performance.now(); !(await isTold(news)); await clock.sleep(pause)) {
      if (performance.now() - begun < patience) continue;
      throw new Refused('SERVICE_UNAVAILABLE', 'The owner of the lane cannot be reached.', undefined, {
        'Retry-After': '2',
      });
    }
  };
  return {
    tell,
    mention: (news) => {
      const { profileId } = news;
      tell(news).catch((error: unknown) =>
        log.warn('The owner of a lane could not be told', { profileId, reason: String(error) }),
      );
    },
  };
}
