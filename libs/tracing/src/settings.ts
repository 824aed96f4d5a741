import { setting, type SettingsOf, type SettingsTable } from '@messaging-gateway/runtime';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where traces go and how many: the standard's names (OpenTelemetry, environment variable specification). */
export const tracingSettings = {
  tracesEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    byDefault: 'none: no traces',
    means:
      'Collector of traces over OTLP/HTTP, for example `http://collector:4318`. Headers, timeout and certificates as the standard names them (`OTEL_EXPORTER_OTLP_HEADERS`, …).',
    read: (text: string | undefined): string | undefined => {
      if (text !== undefined && !URL.canParse(text)) throw new Error('must be a URL');
      if (text !== undefined && !/^https?:/.test(text)) throw new Error('must begin with http:// or https://');
      return text;
    },
  },
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
