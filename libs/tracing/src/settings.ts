import { setting, type SettingsOf, type SettingsTable } from '@messaging-gateway/runtime';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Read by the exporter as the standard says. An empty one counts as not set. */
const readByExporter = {
  tracesHeaders: {
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    byDefault: 'none',
    means: 'Headers for the collector, such as its key: `<name>=<value>`, comma-separated, percent-encoded.',
    secret: true,
    read: setting.optionalText,
  },
  tracesTimeoutMs: {
    variable: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    byDefault: '10000',
    means: 'How long the collector may take for a batch of traces, milliseconds.',
    read: setting.integer(10_000, 1, 600_000),
  },
  tracesCompression: {
    variable: 'OTEL_EXPORTER_OTLP_COMPRESSION',
    byDefault: 'none',
    means: '`gzip` or `none`.',
    read: setting.word(['none', 'gzip'], 'none'),
  },
  tracesAuthority: {
    variable: 'OTEL_EXPORTER_OTLP_CERTIFICATE',
    byDefault: 'the authorities that Node.js trusts',
    means: "PEM file with the authority that signed the collector's certificate, in place of those.",
    read: setting.optionalText,
  },
  tracesClientCertificate: {
    variable: 'OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE',
    byDefault: 'none',
    means: 'PEM file with a certificate to show to the collector.',
    read: setting.optionalText,
  },
  tracesClientKey: {
    variable: 'OTEL_EXPORTER_OTLP_CLIENT_KEY',
    byDefault: 'none',
    means: 'PEM file with the key of that certificate.',
    read: setting.optionalText,
  },
} as const satisfies SettingsTable;

/** Where traces go and how many: the standard's names (OpenTelemetry, environment variable specification). */
export const tracingSettings = {
  tracesEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    byDefault: 'none: no traces',
    means:
      'Collector of traces over OTLP/HTTP, for example `http://collector:4318`. The exporter itself reads the variables that follow.',
    read: (text: string | undefined): string | undefined => {
      if (text !== undefined && !URL.canParse(text)) throw new Error('must be a URL');
      if (text !== undefined && !/^https?:/.test(text)) throw new Error('must begin with http:// or https://');
      return text;
    },
  },
  ...readByExporter,
  tracesSampler: {
    variable: 'OTEL_TRACES_SAMPLER',
    byDefault: 'parentbased_always_on',
    means:
      'Which requests the gateway traces. `parentbased_…` follows a client that sends `traceparent`; the others let no client decide.',
    read: setting.word(samplers, 'parentbased_always_on'),
  },
  tracesRatio: {
    variable: 'OTEL_TRACES_SAMPLER_ARG',
    byDefault: '1',
    means: 'Share of the requests that `traceidratio` traces, 0 to 1.',
    read: (text: string | undefined): number => {
      const ratio = setting.fraction(1)(text);
      if (ratio > 1) throw new Error('must be a number from 0 to 1');
      return ratio;
    },
  },
} as const satisfies SettingsTable;

export type TracingSettings = SettingsOf<typeof tracingSettings>;
