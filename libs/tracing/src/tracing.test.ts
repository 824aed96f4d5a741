import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Refused } from '@messaging-gateway/messaging';
import { readSettings, silentLogger } from '@messaging-gateway/runtime';
import { tracingSettings } from './settings.ts';
import { inSpan, isRecorded, noSpans } from './spans.ts';
import { traceCollector, type CollectedSpan, type TraceCollector } from './testing/trace-collector.ts';
import { startTracing } from './tracing.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const recorded = `00-${traceId}-00f067aa0ba902b7-01`;
const ignored = `00-${traceId}-00f067aa0ba902b7-00`;

describe('traces', () => {
  let collector: TraceCollector;
  beforeAll(async () => {
    collector = await traceCollector();
  });
  afterAll(() => collector.close());

  const tracing = async (environment: Record<string, string> = {}) => {
    const settings = readSettings(tracingSettings, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...environment });
    const started = await startTracing(settings, { log: silentLogger });
    if (started === undefined) throw new Error('Nothing is traced.');
    return started;
  };
  /** Which of a client's contexts, or of none, begin or go on with a trace at the gateway. */
  const begun = async (environment: Record<string, string>): Promise<Record<string, boolean>> => {
    const { of, stop } = await tracing(environment);
    const begins = (parent: string | undefined): boolean => {
      const span = of('gateway').start('GET', { kind: 'server', parent, root: true });
      span?.end();
      return isRecorded(span?.traceparent);
    };
    const result = { recorded: begins(recorded), ignored: begins(ignored), none: begins(undefined) };
    await stop();
    return result;
  };

  it('follow the client or not, as the sampler says', async () => {
    expect(await begun({})).toEqual({ recorded: true, ignored: false, none: true });
    expect(await begun({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' })).toEqual({
      recorded: true,
      ignored: false,
      none: false,
    });
    expect(await begun({ OTEL_TRACES_SAMPLER: 'always_on' })).toEqual({ recorded: true, ignored: true, none: true });
    expect(await begun({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })).toEqual({
      recorded: false,
      ignored: false,
      none: false,
    });
  });

  it('are never begun by anybody but the gateway', async () => {
    const { of, stop } = await tracing();
    for (const parent of [undefined, ignored, 'nonsense', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`])
      expect(of('inbox').start('process', { kind: 'consumer', parent })).toBeUndefined();
    await stop();
  });

  it('say what failed by its code or class, not by its words', async () => {
    const { of, stop } = await tracing();
    const failing = (name: string, error: Error): Promise<void> =>
      inSpan(of('outbound'), name, { kind: 'server', parent: recorded }, () => Promise.reject(error)).catch(
        () => undefined,
      );
    await failing('refused', new Refused('NOT_FOUND', 'Nobody is called +4915112345678.'));
    await failing('broken', new TypeError('+4915112345678 is not a function'));
    await stop();
    const [refused, broken] = ['refused', 'broken'].map((name) => collector.spans.find((span) => span.name === name));
    expect([refused?.facts['error.type'], broken?.facts['error.type']]).toEqual(['NOT_FOUND', 'TypeError']);
    expect([statusOf(refused), statusOf(broken)]).toEqual([0, 2]);
    expect(collector.spans.map(({ raw }) => raw).join('')).not.toContain('4915112345678');
  });

  it('do not exist without a collector, and work gets the context that it had', async () => {
    expect(await startTracing(readSettings(tracingSettings, {}), { log: silentLogger })).toBeUndefined();
    expect(await inSpan(noSpans, 'work', { kind: 'server', parent: recorded }, async (context) => context)).toBe(
      recorded,
    );
  });

  it('are sent with the headers of the environment', async () => {
    process.env['OTEL_EXPORTER_OTLP_HEADERS'] = 'x-tenant=one,x-key=a%20key'; // the exporter reads it by itself
    const { of, stop } = await tracing();
    of('gateway').start('GET', { kind: 'server', parent: recorded, root: true })?.end();
    await stop();
    delete process.env['OTEL_EXPORTER_OTLP_HEADERS'];
    expect(collector.headers.at(-1)).toMatchObject({ 'x-tenant': 'one', 'x-key': 'a key' });
  });

  it('hold nothing up when the collector is away', async () => {
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '500'; // the exporter reads it by itself
    const { of, stop } = await tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    of('gateway').start('GET', { kind: 'server', parent: recorded, root: true })?.end();
    await stop();
    delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT'];
  });

  it('name all faults of their settings', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector',
      OTEL_TRACES_SAMPLER: 'some',
      OTEL_TRACES_SAMPLER_ARG: '2',
    };
    expect(() => readSettings(tracingSettings, environment)).toThrow(/ENDPOINT must.*SAMPLER must.*SAMPLER_ARG must/);
  });
});

/** 2: error. */
const statusOf = (span: CollectedSpan | undefined): number =>
  (JSON.parse(span?.raw ?? '{}') as { status?: { code?: number } }).status?.code ?? 0;
