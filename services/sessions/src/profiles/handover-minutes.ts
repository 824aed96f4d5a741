import { view, type Decider, type InlineView, type StreamType } from '@messaging-gateway/event-sourcing';
import { profileStream } from './profile.ts';

/** Of a profile of which nobody has said anything else. */
const defaultHandoverMinutes = 60;

export type HandoverMinutesEvent = {
  type: 'HandoverMinutesSet';
  data: { readonly profileId: string; readonly minutes: number };
};

export interface HandoverMinutesCommand {
  readonly type: 'SetHandoverMinutes';
  readonly profileId: string;
  readonly minutes: number;
  /** As the profile is made: what somebody has set since stays. */
  readonly atFirst?: boolean;
}

export interface HandoverMinutes {
  readonly minutes?: number;
}

/** For how long automation is silent in a chat after the owner has written there on the phone; the stream has the id of the profile. */
const handoverMinutes: Decider<HandoverMinutes, HandoverMinutesCommand, HandoverMinutesEvent> = {
  initial: {},
  decide: ({ profileId, minutes, atFirst = false }, state) =>
    minutes === (state.minutes ?? defaultHandoverMinutes) || (atFirst && state.minutes !== undefined)
      ? []
      : [{ type: 'HandoverMinutesSet', data: { profileId, minutes } }],
  evolve: (_, { data: { minutes } }) => ({ minutes }),
};

/** Beside the profile's stream, which processes of earlier versions read too. */
export const handoverMinutesStream: StreamType<HandoverMinutes, HandoverMinutesCommand, HandoverMinutesEvent> = {
  name: 'handover-minutes',
  decider: handoverMinutes,
  events: { HandoverMinutesSet: { version: 1 } },
};

const tables = ['handover_minutes'];

const minutesSet = view({
  name: 'handover minutes set',
  tables,
  of: handoverMinutesStream,
  on: ['HandoverMinutesSet'],
  rows: (events) =>
    events
      .map(({ data: { profileId, minutes }, metadata: { organizationId } }) => ({ profileId, organizationId, minutes }))
      .slice(-1),
  sql: `INSERT INTO {schema}.handover_minutes (profile_id, organization_id, minutes)
    SELECT (row->>'profileId')::uuid, (row->>'organizationId')::uuid, (row->>'minutes')::int FROM {rows}
    ON CONFLICT (profile_id) DO UPDATE SET minutes = excluded.minutes`,
});

const minutesOfDeleted = view({
  name: 'handover minutes of deleted profiles',
  tables,
  of: profileStream,
  on: ['ProfileDeleted'],
  rows: (events) => events.map(({ data: { profileId } }) => ({ profileId })),
  sql: `DELETE FROM {schema}.handover_minutes USING {rows} WHERE profile_id = (row->>'profileId')::uuid`,
});

export const handoverMinutesViews: readonly InlineView[] = [minutesSet, minutesOfDeleted];

/** SQL of the minutes of the row of `profiles`. */
export const minutesOfProfile = `coalesce((SELECT h.minutes FROM handover_minutes h WHERE h.profile_id = profiles.id), ${defaultHandoverMinutes})`;
