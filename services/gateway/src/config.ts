import { isIP } from 'node:net';
import { buildSettings } from '@messaging-gateway/admin-pages';
import { setting, type Setting, type SettingsOf } from '@messaging-gateway/runtime';
import { processSettings, publicUrl } from '@messaging-gateway/service';

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Reads `TRUST_PROXY` for Express: how many proxies, or which, are believed about the client's address.
 * `true` means one proxy: believing every one would let clients choose their address.
 */
function trustProxy(text: string | undefined): number | readonly string[] {
  if (text === undefined || text === 'false') return 0;
  if (text === 'true') return 1;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const given = text.split(',').map((item) => item.trim());
  if (!given.every((item) => proxyNames.includes(item) || isBlock(item))) {
    throw new Error('must be true, false, a number of proxies, or a comma-separated list of addresses and blocks');
  }
  return given;
}

function isBlock(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** `CORS_ORIGINS`: origins such as `https://admin.example.com`, or `*` for every one. */
const origins = (text: string | undefined, environment: NodeJS.ProcessEnv): readonly string[] => {
  const given = setting.list(text);
  for (const origin of given) {
    if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
      throw new Error(
        `must be a comma-separated list of origins such as https://admin.example.com; "${origin}" is none`,
      );
    }
  }
  return given.length > 0
    ? given
    : ['http://localhost:3001', `http://localhost:${environment['API_PORT']?.trim() || 3000}`];
};

const metricsPort = (text: string | undefined): number | undefined =>
  text === undefined || text === 'off' ? undefined : setting.integer(0, 0, 65_535)(text);

/** The settings of the gateway. */
export const gatewaySettings = {
  environment: processSettings.environment,
  port: {
    variable: 'API_PORT',
    byDefault: '3000',
    means: 'Port of the API.',
    read: setting.integer(3000, 0, 65_535),
  },
  host: {
    variable: 'API_HOST',
    byDefault: '0.0.0.0',
    means: 'Address that the API binds to.',
    read: setting.text('0.0.0.0'),
  },
  publicUrl,
  accessSecret: {
    variable: 'JWT_SECRET',
    means:
      'Secret that signs access tokens, at least 32 characters; made once and kept under `DATA_DIR` when everything is embedded.',
    secret: true,
    read: setting.strongSecret(),
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    byDefault: 'origins of the admin UI and of the API on localhost',
    means: 'Comma-separated origins that browsers may call from; `*` allows every one.',
    read: origins,
  },
  adminApiUrl: buildSettings.apiUrl,
  trustProxy: {
    variable: 'TRUST_PROXY',
    byDefault: 'false',
    means:
      'Whose `X-Forwarded-For` is believed: `false`, a number of proxies in a row, `true` for one, or a comma-separated list of their addresses and blocks.',
    read: trustProxy,
  },
  demoMode: {
    variable: 'DEMO_MODE',
    byDefault: 'false',
    means: '`true` refuses every write but logging in, with 403.',
    read: setting.flag(false),
  },
  globalLimit: {
    variable: 'RATE_LIMIT_GLOBAL',
    byDefault: '120/1m',
    means: 'Requests per client address, on all routes: `<count>/<n><unit>` with units s, m, h, or `off`.',
    read: setting.rateLimit('120/1m'),
  },
  authLimit: {
    variable: 'RATE_LIMIT_AUTH',
    byDefault: '5/1m',
    means:
      'Register, login and 2FA together per client address (refresh: twice as many); `off` also stops counting failed logins per e-mail address (10 in 15 minutes).',
    read: setting.rateLimit('5/1m'),
  },
  credentialWindow: {
    variable: 'RATE_LIMIT_TTL',
    byDefault: '60',
    means: 'Window of `RATE_LIMIT_MAX`, seconds.',
    read: setting.integer(60, 1, 86_400),
  },
  credentialLimit: {
    variable: 'RATE_LIMIT_MAX',
    byDefault: '100',
    means: 'Requests per window and credential; 0 switches it off.',
    read: setting.integer(100, 0, 1_000_000_000),
  },
  shortLimit: tier('RATE_LIMIT_SHORT'),
  mediumLimit: tier('RATE_LIMIT_MEDIUM'),
  longLimit: tier('RATE_LIMIT_LONG'),
  uploadRetentionDays: {
    variable: 'UPLOAD_RETENTION_DAYS',
    byDefault: '400',
    means:
      'How long uploads, and media that were sent as base64, are kept, days; fractions are allowed. A message can be scheduled 365 days ahead.',
    read: setting.fraction(400),
  },
  mediaQuota: {
    variable: 'QUOTA_MEDIA_MIB',
    byDefault: '102400',
    means:
      'Uploads, and media that are sent as base64, of an organization, at most, MiB, as long as they are kept; 0: any number.',
    read: setting.integer(102_400, 0, 2 ** 31 - 1),
  },
  metricsPort: {
    variable: 'METRICS_PORT',
    byDefault: 'off',
    means: 'Port for Prometheus, on `API_HOST` at `/metrics`.',
    read: metricsPort,
  },
  shutdownDelaySeconds: {
    variable: 'SHUTDOWN_DELAY_SECONDS',
    byDefault: '0',
    means:
      'How long the gateway goes on serving after it said that it is no longer ready, so that load balancers can notice; 300 at most. Its stop may take that much longer.',
    read: (text: string | undefined) => {
      const seconds = setting.fraction(0)(text);
      if (seconds > 300) throw new Error('must be 300 at most');
      return seconds;
    },
  },
} satisfies Record<string, Setting<unknown>>;

function tier(variable: string) {
  return {
    variable,
    byDefault: 'off',
    means: 'A further limit per credential: `<count>/<n><unit>` with units s, m, h.',
    read: setting.rateLimit(),
  };
}

export type GatewaySettings = SettingsOf<typeof gatewaySettings>;
