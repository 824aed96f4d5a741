import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `schedules`: flows that fire at times, when each fires next, and its firing as long as that begins runs. A flow that fires at
 * messages again, is off or gone keeps an empty row. `firings`: one for each flow and minute.
 */
export const schedulesMigration: SqlMigration = {
  name: '20261124050000-schedules',
  sql: `
    create table {schema}.schedules (
      flow_id uuid primary key,
      organization_id uuid not null,
      profile_id uuid,
      cron text,
      timezone text,
      next_at timestamptz(3),
      firing_id uuid,
      look_at timestamptz
    ) with (fillfactor = 50);
    create index schedules_due on {schema}.schedules (look_at) where look_at is not null;
    create index schedules_by_organization on {schema}.schedules (organization_id);

    create table {schema}.firings (
      firing_id uuid primary key,
      organization_id uuid not null,
      ended_at timestamptz(3)
    );
    create index firings_by_end on {schema}.firings (ended_at) where ended_at is not null;
    create index firings_by_organization on {schema}.firings (organization_id);

    create index runs_in_hand on {schema}.runs (answerer_id) where ended_at is null;
    create index runs_in_hand_by_profile on {schema}.runs (profile_id) where ended_at is null;`,
};
