import type { AnswerOf, BodyOf, DescribeOrganization } from '@messaging-gateway/contracts';
import { view, type Decider, type StreamType } from '@messaging-gateway/event-sourcing';
import { Refused } from '@messaging-gateway/messaging';
import type { Sql } from '@messaging-gateway/service';

/** Of an organization of which nobody has said anything else. */
const usualTimezone = 'UTC';

export type TimezoneEvent = {
  type: 'TimezoneSet';
  data: { readonly organizationId: string; readonly timezone: string };
};

export interface TimezoneCommand {
  readonly type: 'SetTimezone';
  readonly organizationId: string;
  /** IANA name. */
  readonly timezone: string;
}

export interface Timezone {
  readonly timezone: string;
}

const timezone: Decider<Timezone, TimezoneCommand, TimezoneEvent> = {
  initial: { timezone: usualTimezone },
  decide: ({ organizationId, timezone: wanted }, state) =>
    wanted === state.timezone ? [] : [{ type: 'TimezoneSet', data: { organizationId, timezone: wanted } }],
  evolve: (_, { data }) => ({ timezone: data.timezone }),
};

/** Beside the organization's stream, which processes of earlier versions read too; it has the id of the organization. */
export const timezoneStream: StreamType<Timezone, TimezoneCommand, TimezoneEvent> = {
  name: 'organization-timezone',
  decider: timezone,
  events: { TimezoneSet: { version: 1 } },
};

export const timezonesView = view({
  name: 'time zones of organizations',
  tables: ['organization_timezones'],
  of: timezoneStream,
  on: ['TimezoneSet'],
  rows: (events) => events.slice(-1).map(({ data }) => data),
  sql: `INSERT INTO {schema}.organization_timezones (organization_id, timezone)
    SELECT (row->>'organizationId')::uuid, row->>'timezone' FROM {rows}
    ON CONFLICT (organization_id) DO UPDATE SET timezone = excluded.timezone`,
});

/** For other services. @throws Refused NOT_FOUND */
export async function describeOrganization(
  sql: Sql,
  { organizationId }: BodyOf<typeof DescribeOrganization>,
): Promise<AnswerOf<typeof DescribeOrganization>> {
  const [row] = await sql.query<{ timezone: string | null }>(
    `SELECT z.timezone FROM organizations o LEFT JOIN organization_timezones z ON z.organization_id = o.id WHERE o.id = $1`,
    [organizationId],
  );
  if (row === undefined) throw new Refused('NOT_FOUND', 'The organization does not exist any more.');
  return { timezone: row.timezone ?? usualTimezone };
}
