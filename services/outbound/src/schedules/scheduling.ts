import {
  sentRecordContent,
  shownContent,
  type CancelScheduledMessage,
  type ListScheduledMessages,
  type Page,
  type QueryOf,
  type ScheduledMessage,
  type ScheduleMessage,
} from '@messaging-gateway/contracts';
import type { EventStore } from '@messaging-gateway/event-sourcing';
import { invalid, Refused } from '@messaging-gateway/messaging';
import type { Clock } from '@messaging-gateway/runtime';
import { actorOf, assertProfileAllowed, decodeCursor, type InputOf, pageOf } from '@messaging-gateway/service';
import type { Static } from 'typebox';
import { type Compose, jidOf } from '../sending/drafts.ts';
import type { LaneRecords } from '../gate/lane-records.ts';
import { callerMetadata, openProfile } from '../sending/profile-access.ts';
import type { ScheduleRecords, ScheduleRow } from './schedule-records.ts';
import { scheduleStream } from './schedule.ts';

type Shown = Static<typeof ScheduledMessage>;

export interface SchedulingParts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly records: ScheduleRecords;
  readonly lanes: LaneRecords;
  readonly compose: Compose;
}

const longest = 365 * 24 * 3_600_000;

/** The routes of scheduled messages. */
export class Scheduling {
  readonly #parts: SchedulingParts;

  constructor(parts: SchedulingParts) {
    this.#parts = parts;
  }

  /** @throws Refused VALIDATION_ERROR, NOT_FOUND, FORBIDDEN */
  async make({ body, caller, context }: InputOf<typeof ScheduleMessage>): Promise<Shown> {
    const { clock, compose, lanes, records, store } = this.#parts;
    const { profileId, to, type, content, scheduledAt } = body;
    await openProfile(lanes, profileId, caller);
    const scheduleId = context.resourceId;
    if (context.repeated && (await records.find(scheduleId)) !== undefined) return this.#shown(scheduleId);
    const now = clock.now();
    const dueAt = Date.parse(scheduledAt);
    if (dueAt <= now) throw notDue('must be in the future');
    if (dueAt > now + longest) throw notDue('must be within 365 days');
    const jid = jidOf(to, 'body.to');
    const composed = await compose(type, content, { profileId, to: jid, caller, context, path: 'body.content' });
    const facts = {
      ...composed,
      to: jid,
      scheduleId,
      profileId,
      scheduledAt: new Date(dueAt).toISOString(),
      createdAt: new Date(now).toISOString(),
      actor: actorOf(caller),
    };
    const metadata = callerMetadata(caller, profileId, context);
    await store.handle(
      scheduleStream,
      scheduleId,
      { type: 'Schedule', facts },
      { metadata, onAppended: context.appended },
    );
    return this.#shown(scheduleId);
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN */
  async list({ params, query, caller }: InputOf<typeof ListScheduledMessages>): Promise<Page<Shown>> {
    const { lanes, records } = this.#parts;
    const { id: profileId } = params;
    await openProfile(lanes, profileId, caller);
    const { limit = 50, cursor, status } = query;
    const [dueAt, scheduleId] = (decodeCursor(cursor, ['time', 'id']) ?? []) as string[];
    const after = dueAt === undefined || scheduleId === undefined ? undefined : { dueAt, scheduleId };
    const statuses = statusesOf(status);
    const [rows, total] = await Promise.all([
      records.page(profileId, statuses, after, limit + 1),
      records.count(profileId, statuses),
    ]);
    const page = pageOf(
      rows,
      limit,
      ({ due_at, schedule_id }) => [due_at.toISOString(), schedule_id],
      (row) => row,
    );
    const shown = await Promise.all(page.items.map((row) => this.#show(row)));
    return { ...page, items: shown.filter((one) => one !== undefined), total };
  }

  /** @throws Refused NOT_FOUND, FORBIDDEN, CONFLICT when it is not pending any more */
  async cancel({ params, caller, context }: InputOf<typeof CancelScheduledMessage>): Promise<void> {
    const { records, store } = this.#parts;
    const row = await records.find(params.id);
    if (row === undefined || row.organization_id !== caller.organizationId) throw noSuch();
    assertProfileAllowed(caller, row.profile_id);
    const metadata = callerMetadata(caller, row.profile_id, context);
    await store.handle(scheduleStream, row.schedule_id, { type: 'Cancel' }, { metadata, onAppended: context.appended });
  }

  async #shown(scheduleId: string): Promise<Shown> {
    const row = await this.#parts.records.find(scheduleId);
    const shown = row && (await this.#show(row));
    if (shown === undefined) throw noSuch();
    return shown;
  }

  /** @returns undefined when it has just gone, with its stream (see `sendHistory`) */
  async #show(row: ScheduleRow): Promise<Shown | undefined> {
    const { state } = await this.#parts.store.load(scheduleStream, row.schedule_id);
    if (state.status === 'none') return undefined;
    const { to, content, createdAt } = state.facts;
    const isPending = row.status === 'pending' || row.status === 'released';
    return {
      id: row.schedule_id,
      profileId: row.profile_id,
      to,
      type: content.type,
      content: shownContent(content.type, sentRecordContent(content)),
      scheduledAt: row.due_at.toISOString(),
      status: isPending ? 'pending' : row.status,
      late: row.late,
      messageId: row.status === 'pending' || row.status === 'cancelled' ? null : row.schedule_id,
      sentAt: row.sent_at?.toISOString() ?? null,
      error: row.error,
      createdAt,
    };
  }
}

const statusesOf = (status: QueryOf<typeof ListScheduledMessages>['status']): string[] | undefined => {
  if (status === undefined) return undefined;
  return status === 'pending' ? ['pending', 'released'] : [status];
};

const noSuch = (): Refused => new Refused('NOT_FOUND', 'There is no such scheduled message.');
const notDue = (message: string): Refused => invalid([{ path: 'body.scheduledAt', message }]);
