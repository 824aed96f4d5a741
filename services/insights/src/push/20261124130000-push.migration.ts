import type { SqlMigration } from '@messaging-gateway/service';

export const pushMigration: SqlMigration = {
  name: '20261124130000-push',
  sql: `
    -- The pair of the installation, where none is set: made once, for all replicas. The private key is sealed.
    CREATE TABLE {schema}.push_keys (
      is_only boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (is_only),
      public_key text NOT NULL,
      sealed bytea NOT NULL
    );

    -- Browsers. Their keys only encrypt: what is encrypted with them is read by the browser alone.
    CREATE TABLE {schema}.push_subscriptions (
      id uuid NOT NULL PRIMARY KEY,
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      endpoint text NOT NULL,
      p256dh text NOT NULL,
      auth text NOT NULL,
      -- The public key that its push service lets push.
      vapid_key text NOT NULL,
      -- Since the last success.
      refusals int NOT NULL DEFAULT 0,
      -- Its push service wants nothing before.
      rests_until timestamptz(3),
      created_at timestamptz(3) NOT NULL,
      last_success_at timestamptz(3)
    );
    CREATE UNIQUE INDEX push_subscriptions_of_users ON {schema}.push_subscriptions (organization_id, user_id, md5(endpoint));
    CREATE INDEX push_subscriptions_by_endpoint ON {schema}.push_subscriptions (md5(endpoint));

    -- What is pushed to a browser, and was a moment ago: one of a chat.
    CREATE TABLE {schema}.pushes (
      id uuid NOT NULL PRIMARY KEY DEFAULT gen_random_uuid(),
      organization_id uuid NOT NULL,
      subscription_id uuid NOT NULL REFERENCES {schema}.push_subscriptions ON DELETE CASCADE,
      tag text NOT NULL,
      notification_id uuid NOT NULL,
      -- Grows with each notification that it stands for: what comes while one is pushed is pushed next.
      news bigint NOT NULL DEFAULT 1,
      attempts int NOT NULL DEFAULT 0,
      told_at timestamptz(3) NOT NULL,
      pushed_at timestamptz(3),
      due timestamptz(3),
      UNIQUE (subscription_id, tag)
    ) WITH (fillfactor = 70);
    CREATE INDEX pushes_due ON {schema}.pushes (due) WHERE due IS NOT NULL;
    CREATE INDEX pushes_of_organizations ON {schema}.pushes (organization_id);
    CREATE INDEX pushes_by_age ON {schema}.pushes (told_at);
  `,
};
