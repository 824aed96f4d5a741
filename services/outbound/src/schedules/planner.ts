import type { EventStore } from '@messaging-gateway/event-sourcing';
import type { Clock } from '@messaging-gateway/runtime';
import { attending, type DueJob } from '@messaging-gateway/service';
import { failureOf, hasWaited, unsendable, type UnattendedSending } from '../sending/unattended.ts';
import type { ScheduleFacts } from './schedule.ts';
import type { ScheduleRecords, ScheduleRow } from './schedule-records.ts';
import { scheduleStream } from './schedule.ts';
import type { ScheduleCommand } from './schedule.ts';

export interface PlannerParts {
  readonly store: EventStore;
  readonly records: ScheduleRecords;
  readonly unattended: UnattendedSending;
  readonly clock: Clock;
}

/** Longest wait of a due message for the connection of its profile, milliseconds. */
const patience = 24 * 3_600_000;
/** Due for longer than this when this process takes it up: it was missed, milliseconds. */
const onTime = 5000;

/**
 * Sends scheduled messages when they are due: each by one of several replicas. First the schedule is released, which
 * ends the time in which it can be cancelled; then its message is accepted, under the same id whoever does it. Those of
 * one chat go one after the other, in the order of their times.
 *
 * @see docs/decisions/0370-what-is-sent-later.md
 */
export class Planner {
  readonly #parts: PlannerParts;
  /** Attends to scheduled messages when it is time. */
  readonly job: DueJob;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    const { clock, records } = parts;
    const attend = (row: ScheduleRow): Promise<void> => this.#attend(row);
    this.job = attending({ name: 'scheduled messages', clock, rows: records.waiting, attend });
  }

  /** The profile is connected: what waits for that is looked at now. */
  async connected(profileId: string): Promise<void> {
    const { clock, records } = this.#parts;
    if (await records.waiting.wake(profileId, clock.now())) this.job.wake();
  }

  /** The profile is gone: nothing of it will be sent. */
  async close(profileId: string, organizationId: string): Promise<void> {
    const pending = await this.#parts.records.waiting.openOf(profileId);
    const fail = { type: 'Fail', error: unsendable.gone } as const;
    const names = { profile_id: profileId, organization_id: organizationId };
    await Promise.all(pending.map((id) => this.#tell({ schedule_id: id, ...names }, fail)));
  }

  /** The organization is erased: nothing of it will be sent. */
  async closeAll(organizationId: string): Promise<void> {
    for (const profileId of await this.#parts.records.openProfiles(organizationId))
      await this.close(profileId, organizationId);
  }

  async #attend(row: ScheduleRow): Promise<void> {
    const { clock, records } = this.#parts;
    if (row.status === 'pending' && !(await this.#release(row))) return;
    await this.#enter(row);
    if (await records.wakeFirst(row.conversation_id, clock.now())) this.job.wake();
  }

  async #enter(row: ScheduleRow): Promise<void> {
    const { schedule_id: id, organization_id: organizationId } = row;
    const { unattended, store } = this.#parts;
    const { state } = await store.load(scheduleStream, id);
    if (state.status !== 'released') return;
    const draft = draftOf(state.facts);
    if (draft === undefined) return this.#tell(row, { type: 'Fail', error: unsendable.erased });
    try {
      await unattended.enter({ messageId: id, organizationId, actor: state.facts.actor, draft });
    } catch (error) {
      await this.#tell(row, { type: 'Fail', error: failureOf(error) });
    }
  }

  /** @returns whether it goes on; else it waits for its connection or for those of its chat before it, or has failed */
  async #release(row: ScheduleRow): Promise<boolean> {
    const { clock, unattended, records } = this.#parts;
    const connection = await unattended.connection(row.profile_id, row.organization_id);
    const now = clock.now();
    if (connection === 'not-connected') {
      if (!hasWaited(patience, row.waiting_since, this.job.startedAt, now))
        await records.waiting.wait(row.schedule_id, now);
      else await this.#tell(row, { type: 'Fail', error: unsendable.notConnected });
      return false;
    }
    if (connection === 'gone') {
      await this.#tell(row, { type: 'Fail', error: unsendable.gone });
      return false;
    }
    // It stays claimed for a moment: whoever has taken the one before looks for it.
    if (!(await records.isFirst(row))) return false;
    const dueAt = row.due_at.getTime();
    const wasMissed = dueAt < this.job.startedAt || now - dueAt > onTime;
    await this.#tell(row, { type: 'Release', late: wasMissed || row.waiting_since !== null });
    return true;
  }

  async #tell(row: Named, command: ScheduleCommand): Promise<void> {
    const { schedule_id: id, profile_id: profileId, organization_id: organizationId } = row;
    const metadata = {
      organizationId,
      profileId,
      subject: `organization:${organizationId}`,
      actor: 'service:outbound',
    };
    await this.#parts.store.handle(scheduleStream, id, command, { metadata });
  }
}

type Named = Pick<ScheduleRow, 'schedule_id' | 'profile_id' | 'organization_id'>;

/** @returns undefined when the content was erased */
function draftOf({ profileId, to, content, quotedMessageId }: ScheduleFacts) {
  if (typeof content !== 'object') return undefined;
  const quoted = quotedMessageId === undefined ? {} : { quotedMessageId };
  return { profileId, to, content, ...quoted, origin: 'schedule' } as const;
}
