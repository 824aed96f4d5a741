import type { AnswerOf, ApplySendingPolicy, SendingState } from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import type { RequestContext, Sql, Whose } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { rollTo } from '../gate/send-gate.ts';
import type { LaneRecord, LaneRecords } from '../gate/lane-records.ts';
import { policyStream } from '../gate/sending-policy.ts';
import { dayOf, nextReset } from '../time/clock.ts';
import type { Lanes } from './lanes.ts';
import type { Owners } from './owners.ts';
import type { Strangers } from './strangers.ts';

/** As long as a read waits for what was written before it, milliseconds. */
const longestWait = 1000;

type Shown = Static<typeof SendingState>;
type Policy = Static<(typeof ApplySendingPolicy)['body']>;

export interface Policies {
  apply(
    policy: Policy,
    context: Pick<RequestContext, 'requestId' | 'appended'>,
  ): Promise<AnswerOf<typeof ApplySendingPolicy>>;
  read(organizationId: string, profileIds: readonly string[]): Promise<{ items: Shown[] }>;
  /** The profile is there: it has a lane, with the defaults unless told otherwise. */
  make(profileId: string, organizationId: string, cause: string): Promise<void>;
  /** The profile is gone: nothing is accepted any more, and what is queued fails. */
  close(profileId: string, organizationId: string, cause: string): Promise<void>;
  /** `close` for all profiles of an organization that is erased. */
  closeAll(whose: Whose): Promise<void>;
}

const metadataOf = (organizationId: string, profileId: string) => ({
  organizationId,
  profileId,
  subject: `organization:${organizationId}`,
  actor: 'service:sessions',
});

/** Delay and daily limit of profiles, and their counters. */
export function policies({
  store,
  sql,
  lanes,
  records,
  owners,
  strangers,
  clock,
}: {
  store: EventStore;
  sql: Sql;
  lanes: Lanes;
  records: LaneRecords;
  owners: Owners;
  strangers: Strangers;
  clock: Clock;
}): Policies {
  /** Has the owner of the lane go by its row as it is now. */
  const applied = async (organizationId: string, profileId: string): Promise<LaneRecord | undefined> => {
    const lane = await lanes.ifLoaded(profileId);
    if (lane !== undefined) return lanes.refresh(lane);
    await owners.tell({ organizationId, profileId });
    return records.find(profileId);
  };
  const close: Policies['close'] = async (profileId, organizationId, cause) => {
    const metadata = { ...metadataOf(organizationId, profileId), cause };
    await store.handle(policyStream, profileId, { type: 'CloseLane', profileId }, { metadata });
    await applied(organizationId, profileId);
  };

  return {
    apply: async ({ organizationId, profileId, messageDelayMs, dailyMessageLimit }, { requestId, appended }) => {
      const command = { type: 'ApplyPolicy', profileId, organizationId, messageDelayMs, dailyMessageLimit } as const;
      const metadata = { ...metadataOf(organizationId, profileId), requestId };
      await store.handle(policyStream, profileId, command, { metadata, onAppended: appended });
      const record = await applied(organizationId, profileId);
      if (record === undefined) throw new Refused('NOT_FOUND', 'There is no such profile.');
      return shownOf(record, clock.now());
    },
    read: async (organizationId, profileIds) => {
      await counted(profileIds, lanes, clock);
      const now = clock.now();
      const [found, countsOf] = await Promise.all([
        records.list(organizationId, profileIds),
        strangers.countsOf(profileIds, dayOf(now)),
      ]);
      const items = found.map((record) => {
        const { strangers: strangersToday, unknownNumbers: unknownNumbersToday } = countsOf(record.profileId);
        return { ...shownOf(record, now), strangersToday, unknownNumbersToday };
      });
      return { items };
    },
    make: async (profileId, organizationId, cause) => {
      const metadata = { ...metadataOf(organizationId, profileId), cause };
      await store.handle(policyStream, profileId, { type: 'MakeLane', profileId, organizationId }, { metadata });
    },
    close,
    closeAll: async ({ organizationId, userId, wholeOrganization }) => {
      if (!wholeOrganization) return;
      const open = await sql.query<{ profile_id: string }>(
        'SELECT profile_id FROM policies WHERE organization_id = $1 AND NOT closed',
        [organizationId],
      );
      for (const { profile_id: profileId } of open) await close(profileId, organizationId, userId);
    },
  };
}

/** Resolves when what was answered is in the counts, after a second at the latest. */
async function counted(profileIds: readonly string[], lanes: Lanes, clock: Clock): Promise<void> {
  const open = profileIds.flatMap((profileId) => [...(lanes.inMemory(profileId)?.recordings ?? [])]);
  if (open.length === 0) return;
  const done = new AbortController();
  const patience = clock.sleep(longestWait, done.signal).catch(() => undefined);
  await Promise.race([Promise.all(open), patience]);
  done.abort();
}

function shownOf({ profileId, policy, count }: LaneRecord, now: number): Shown {
  return {
    profileId,
    messageDelayMs: policy.messageDelayMs,
    dailyMessageLimit: policy.dailyMessageLimit ?? null,
    dailyMessageCount: rollTo(count, dayOf(now)).sent,
    dailyResetAt: new Date(nextReset(now)).toISOString(),
  };
}
