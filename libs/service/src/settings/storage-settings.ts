import { setting, type Setting } from '@messaging-gateway/runtime';

/** A connection string of one of some schemes. */
export const urlOf =
  (form: RegExp, example: string) =>
  (text: string | undefined): string | undefined => {
    if (text !== undefined && !(form.test(text) && URL.canParse(text))) throw new Error(`must begin with ${example}`);
    return text;
  };

/** The database and what is sealed in it. */
export const storageSettings = {
  databaseUrl: {
    variable: 'DATABASE_URL',
    byDefault: 'an embedded PostgreSQL under `DATA_DIR`',
    means:
      'PostgreSQL 15 or later: `postgresql://<user>:<password>@<host>:<port>/<database>`, with TLS `…?sslmode=verify-full`. Required with `NODE_ENV=production` and with brokers.',
    secret: true,
    read: urlOf(/^postgres(ql)?:\/\//, 'postgresql://'),
  },
  cacheUrl: {
    variable: 'CACHE_URL',
    byDefault: "the process's memory",
    means:
      'Redis, for throttles, revocations and caches: `redis://<user>:<password>@<host>:<port>/<database>`, or `rediss://`. Required with `NODE_ENV=production` and with brokers.',
    secret: true,
    read: urlOf(/^rediss?:\/\//, 'redis:// or rediss://'),
  },
  encryptionKey: {
    variable: 'ENCRYPTION_KEY',
    byDefault: 'made at the first start and kept under `DATA_DIR`',
    means: '32 characters; credentials and personal data are encrypted with it at rest. Required with brokers.',
    secret: true,
    read: (text: string | undefined): string | undefined => {
      if (text !== undefined && text.length !== 32) throw new Error('must have exactly 32 characters');
      return text;
    },
  },
  previousEncryptionKeys: {
    variable: 'ENCRYPTION_KEY_PREVIOUS',
    byDefault: 'none',
    means: 'Comma-separated former values of `ENCRYPTION_KEY`: still read, no longer written with.',
    secret: true,
    read: (text: string | undefined) => {
      const keys = setting.list(text);
      if (keys.some((key) => key.length !== 32)) throw new Error('must hold keys of exactly 32 characters');
      return keys;
    },
  },
} as const satisfies Record<string, Setting<unknown>>;

/** How long journals are kept: the longer of the two counts for each of them. */
export const retentionSettings = {
  eventRetentionDays: {
    variable: 'EVENT_RETENTION_DAYS',
    byDefault: '7',
    means:
      'How long events are kept for `GET /events`, replay and the list of deliveries, days; fractions are allowed.',
    read: setting.fraction(7),
  },
  receiptWindowDays: {
    variable: 'RECEIPT_WINDOW_DAYS',
    byDefault: '90',
    means: 'Days (fractions allowed) for which delivery and read receipts of a sent message are still taken in.',
    read: setting.fraction(90),
  },
} as const satisfies Record<string, Setting<unknown>>;
