import type { SqlMigration } from '@messaging-gateway/service';

/**
 * `typebot_sessions`: a row for each chat in which Typebot answers. `sealed` holds the session and what the last run was
 * answered with. `held_by`, until `held_until`: the run that asks Typebot now; `asking`: it has asked, and nobody knows yet what
 * came of it. `busy_until`: pauses of the last answer go on until then. `answered`: the last runs that have their answer.
 */
export const typebotSessions: SqlMigration = {
  name: '20261124040000-typebot-sessions',
  sql: `
    create table {schema}.typebot_sessions (
      conversation_id uuid primary key,
      organization_id uuid not null,
      sealed text,
      is_open boolean not null default false,
      expires_at timestamptz(3),
      held_by uuid,
      held_until timestamptz(3),
      asking uuid,
      busy_until timestamptz(3),
      answered uuid[] not null default '{}',
      used_at timestamptz(3) not null
    ) with (fillfactor = 50);
    create index typebot_sessions_by_organization on {schema}.typebot_sessions (organization_id);
    create index typebot_sessions_by_use on {schema}.typebot_sessions (used_at);`,
};
