import {
  CountProfiles,
  DescribeOrganization,
  type AnswerOf,
  type Caller,
  type InternalOperation,
} from '@messaging-gateway/contracts';
import { invalid, Refused } from '@messaging-gateway/messaging';
import { isUnavailable } from '@messaging-gateway/runtime';
import { assertProfileAllowed, type RequestContext, type ServiceTools } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import type { Granularity } from './buckets.ts';
import { beginningOf } from './zone.ts';

const dayMs = 86_400_000;
const usualDays = 30;
/** Days of a period, at most; an hour more, for the days on which clocks are put back. */
const mostDays = { hour: 31, day: 400, week: 400 } as const;
const slackMs = 3_600_000;

/** Times of a period, milliseconds since 1970. */
export interface Period {
  readonly from: number;
  /** End of the period, not included. */
  readonly to: number;
}

/** Organization, profiles and zone that a request asks for. */
export interface Scope {
  readonly organizationId: string;
  /** Profiles that count; undefined: all. */
  readonly profileIds: readonly string[] | undefined;
  readonly zone: string;
}

interface Query {
  readonly profileId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly timezone?: string;
}

/** A request for statistics. */
export interface Asked<Q extends Query = Query> {
  readonly caller: Caller;
  readonly query: Q;
  readonly context: RequestContext;
}

/** Asks other services on behalf of a request. */
export type AskOther = <O extends InternalOperation>(contract: O, body: Static<O['body']>) => Promise<AnswerOf<O>>;

/** @throws Refused SERVICE_UNAVAILABLE naming a service that does not answer */
export const askingFor =
  ({ ask }: Pick<ServiceTools<unknown>, 'ask'>, { requestId, traceparent, deadline }: RequestContext): AskOther =>
  async (contract, body) => {
    try {
      return await ask(contract, body, { requestId, traceparent, deadline });
    } catch (error) {
      const isAway = error instanceof Refused ? error.code === 'SERVICE_UNAVAILABLE' : isUnavailable(error);
      if (!isAway) throw error;
      throw new Refused('SERVICE_UNAVAILABLE', `The service ${contract.owner} does not answer, which counts this.`, {
        service: contract.owner,
      });
    }
  };

/**
 * Organization, profiles and zone of a request.
 *
 * @throws Refused FORBIDDEN for a profile that the caller's key is not for; NOT_FOUND for one that the organization does not have
 */
export async function scopeOf(ask: AskOther, { caller, query }: Asked): Promise<Scope> {
  const { organizationId } = caller;
  const { profileId, timezone } = query;
  if (profileId !== undefined) assertProfileAllowed(caller, profileId);
  const [zone] = await Promise.all([
    timezone ?? ask(DescribeOrganization, { organizationId }).then((found) => found.timezone),
    profileId === undefined ? undefined : assertThere(ask, organizationId, profileId),
  ]);
  return { organizationId, profileIds: profileId === undefined ? caller.profileIds : [profileId.toLowerCase()], zone };
}

async function assertThere(ask: AskOther, organizationId: string, profileId: string): Promise<void> {
  const { total } = await ask(CountProfiles, { organizationId, profileIds: [profileId] });
  if (total === 0) throw new Refused('NOT_FOUND', 'There is no such profile.');
}

/**
 * The period that is asked for: 30 days before now, unless it says otherwise. Dates are midnights of the zone.
 *
 * @param now milliseconds since 1970
 * @throws Refused VALIDATION_ERROR naming `from` when it is too long, `to` when it lies before `from`
 */
export function periodOf({ from, to }: Query, zone: string, now: number, granularity: Granularity = 'day'): Period {
  const end = to === undefined ? now : momentOf(zone, to);
  const begin = from === undefined ? end - usualDays * dayMs : momentOf(zone, from);
  if (begin < 0)
    throw invalid([{ path: from === undefined ? 'query.to' : 'query.from', message: 'must not lie before 1970' }]);
  if (end < begin) throw invalid([{ path: 'query.to', message: 'must not lie before from' }]);
  const days = mostDays[granularity];
  if (end - begin > days * dayMs + slackMs)
    throw invalid([{ path: 'query.from', message: `must lie at most ${days} days before to` }]);
  return { from: begin, to: end };
}

const momentOf = (zone: string, text: string): number =>
  text.length === 10 ? beginningOf(zone, Date.parse(`${text}T00:00:00.000Z`)) : Date.parse(text);
