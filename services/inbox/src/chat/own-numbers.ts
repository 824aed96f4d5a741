import { DescribeProfile, type AnswerOf } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { ServiceTools } from '@messaging-gateway/service';

/** The JIDs of the profiles themselves: the other end of every message. */
export interface OwnNumbers {
  /**
   * Undefined for a profile that was never linked or is gone.
   *
   * @throws Refused SERVICE_UNAVAILABLE while sessions does not answer
   */
  jidOf(profileId: string, organizationId: string): Promise<string | undefined>;
  /** A profile was linked, perhaps with another number than before. */
  note(profileId: string, phoneNumber: string): void;
}

interface Known {
  readonly jid: string | undefined;
  readonly until: number;
}

/** The number changes when a profile is linked anew, which only one of several replicas hears of. */
const keptMs = 30_000;
/** A profile without a number may be linked any moment. */
const absenceKeptMs = 5_000;
const most = 50_000;

/** Asks sessions once in a while and remembers the answers. */
export function ownNumbers({ ask, clock }: Pick<ServiceTools<unknown>, 'ask' | 'clock'>): OwnNumbers {
  const known = new Map<string, Known>();
  const keep = (profileId: string, jid: string | undefined): void => {
    if (known.size >= most) known.clear();
    known.set(profileId, { jid, until: clock.now() + (jid === undefined ? absenceKeptMs : keptMs) });
  };
  return {
    note: (profileId, phoneNumber) => keep(profileId, `${phoneNumber}@c.us`),
    jidOf: async (profileId, organizationId) => {
      const kept = known.get(profileId);
      if (kept !== undefined && kept.until > clock.now()) return kept.jid;
      const phone = (await describedProfile(ask, profileId, organizationId))?.phoneNumber;
      const jid = phone === undefined ? undefined : `${phone}@c.us`;
      keep(profileId, jid);
      return jid;
    },
  };
}

/**
 * @returns undefined for a profile that is gone
 * @throws Refused SERVICE_UNAVAILABLE while sessions does not answer
 */
export async function describedProfile(
  ask: ServiceTools<unknown>['ask'],
  profileId: string,
  organizationId: string,
): Promise<AnswerOf<typeof DescribeProfile> | undefined> {
  try {
    return await ask(DescribeProfile, { organizationId, profileId });
  } catch (error) {
    if (error instanceof Refused && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
