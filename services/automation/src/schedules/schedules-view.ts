import { view, type RecordedAs } from '@messaging-gateway/event-sourcing';
import { answererStream, type AnswererEvent } from '../answerers/answerer.ts';
import { Timetable } from '../flows/triggers/timetable.ts';
import { firingStream, type FiringEvent } from './firing.ts';

interface Trigger {
  readonly type?: string;
  readonly value?: { readonly cron: string; readonly timezone: string };
}

/** When flows fire. One whose times stay keeps what it has missed. */
export const schedulesView = view({
  name: 'schedules',
  of: answererStream,
  on: ['AnswererSaved', 'AnswererDeleted'],
  rows: (events) => events.slice(-1).flatMap(rowOf),
  sql: `
    INSERT INTO {schema}.schedules AS held (flow_id, organization_id, profile_id, cron, timezone, next_at, look_at)
    SELECT DISTINCT ON (given.flow_id) given.flow_id, given.organization_id, given.profile_id, given.cron, given.timezone,
           given.next_at, given.next_at
      FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(
             flow_id uuid, organization_id uuid, profile_id uuid, cron text, timezone text, next_at timestamptz)
     WHERE given.next_at IS NOT NULL OR EXISTS (SELECT 1 FROM {schema}.schedules s WHERE s.flow_id = given.flow_id)
     ORDER BY given.flow_id, rows.ordinal DESC
    ON CONFLICT (flow_id) DO UPDATE SET
      profile_id = excluded.profile_id, cron = excluded.cron, timezone = excluded.timezone,
      next_at = CASE WHEN held.cron = excluded.cron AND held.timezone = excluded.timezone AND excluded.next_at IS NOT NULL
                     THEN coalesce(held.next_at, excluded.next_at) ELSE excluded.next_at END,
      look_at = CASE WHEN held.firing_id IS NOT NULL THEN held.look_at
                     WHEN held.cron = excluded.cron AND held.timezone = excluded.timezone AND excluded.next_at IS NOT NULL
                     THEN coalesce(held.next_at, excluded.next_at) ELSE excluded.next_at END`,
});

function rowOf({ type, data, metadata: { organizationId } }: RecordedAs<AnswererEvent>): object[] {
  const whose = { flow_id: data.answererId, organization_id: organizationId };
  if (type === 'AnswererDeleted') return [{ ...whose, next_at: null }];
  if (data.kind !== 'flow') return [];
  // Erased, it is a text.
  const trigger = (typeof data.definition === 'object' ? data.definition['trigger'] : undefined) as Trigger | undefined;
  const times = trigger?.type === 'schedule' && data.enabled ? trigger.value : undefined;
  const next = times && nextOf(times, Date.parse(data.at));
  if (times === undefined || next === undefined) return [{ ...whose, profile_id: data.profileId, next_at: null }];
  const { cron, timezone } = times;
  return [{ ...whose, profile_id: data.profileId, cron, timezone, next_at: new Date(next).toISOString() }];
}

/** One that this version of the runtime does not take any more never fires. */
function nextOf({ cron, timezone }: NonNullable<Trigger['value']>, after: number): number | undefined {
  try {
    return new Timetable(cron, timezone).next(after);
  } catch {
    return undefined;
  }
}

/** The firing that a flow is about, and when it fires after that. */
export const firingOfScheduleView = view({
  name: 'firing-of-schedule',
  of: firingStream,
  on: ['FiringBegun', 'FiringMissed', 'FiringEnded'],
  rows: (events) => [Object.assign({}, ...events.map(scheduleRow)) as object],
  sql: `
    UPDATE {schema}.schedules AS held SET
      firing_id = CASE WHEN given.ended THEN NULL ELSE given.firing_id END,
      next_at = CASE WHEN held.next_at <= given.minute THEN given.next_at ELSE held.next_at END,
      look_at = CASE WHEN NOT given.ended THEN given.at
                     WHEN held.next_at <= given.minute THEN given.next_at ELSE held.next_at END
    FROM (SELECT DISTINCT ON (one.flow_id) one.flow_id, one.firing_id, one.minute, one.next_at, one.at, one.ended FROM {rows} rows
           CROSS JOIN LATERAL jsonb_to_record(rows.row) one(
                   flow_id uuid, firing_id uuid, minute timestamptz, next_at timestamptz, at timestamptz, ended boolean)
           ORDER BY one.flow_id, rows.command DESC) given
    WHERE held.flow_id = given.flow_id AND (held.firing_id IS NULL OR held.firing_id = given.firing_id)`,
});

type Told = Extract<FiringEvent, { type: 'FiringBegun' | 'FiringMissed' | 'FiringEnded' }>;

function scheduleRow({ type, data }: RecordedAs<Told>): object {
  const whose = { flow_id: data.flowId, firing_id: data.firingId, ended: type !== 'FiringBegun' };
  if (type === 'FiringEnded') return whose;
  return { ...whose, minute: data.minute, next_at: data.nextAt, at: data.at };
}

/** Firings, as long as they are remembered. */
export const firingsView = view({
  name: 'firings',
  of: firingStream,
  on: ['FiringBegun', 'FiringMissed', 'FiringEnded'],
  rows: (events) =>
    events.slice(-1).map(({ type, data, metadata: { organizationId } }) => ({
      firing_id: data.firingId,
      organization_id: organizationId,
      ended_at: type === 'FiringBegun' ? null : data.at,
    })),
  sql: `
    INSERT INTO {schema}.firings AS held (firing_id, organization_id, ended_at)
    SELECT DISTINCT ON (given.firing_id) given.firing_id, given.organization_id, given.ended_at FROM {rows} rows
     CROSS JOIN LATERAL jsonb_to_record(rows.row) given(firing_id uuid, organization_id uuid, ended_at timestamptz)
     ORDER BY given.firing_id, rows.command DESC
    ON CONFLICT (firing_id) DO UPDATE SET ended_at = excluded.ended_at`,
});
