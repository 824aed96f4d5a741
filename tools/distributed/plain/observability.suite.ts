import { randomBytes } from 'node:crypto';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { eventually, linkProfile, type Distributed, type LinkedProfile, type Tenant } from '@messaging-gateway/testing';
import { lineageOf, type CollectedSpan } from '@messaging-gateway/tracing/testing';
import { Client } from 'pg';
import { registerWithWebhook, type PlainWorld } from './world.ts';

const deadLettersCommand = fileURLToPath(new URL('../../../services/standalone/src/operator/main.ts', import.meta.url));
const contact = '4915187654811';
const text = 'A text that no trace may show';

/** Traces, metrics and dead letters of an installation that has done nothing else yet. */
export function observabilitySuite(given: () => PlainWorld): void {
  let world: PlainWorld;
  /** All events of this tenant go to the receiver. */
  let tenant: Tenant;
  let profile: LinkedProfile;
  beforeAll(async () => {
    world = given();
    tenant = await registerWithWebhook(world, ['*']);
    profile = await linkProfile(world.api, tenant, '4915112345811');
  }, 600_000);

  it('leaves one trace of a message, from the request over RabbitMQ and Kafka to the webhook', async () => {
    const { collector, receiver } = world;
    const traceId = randomBytes(16).toString('hex');
    const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
    const message = { profileId: profile.profileId, to: `+${contact}`, text };
    expect((await tenant.call('POST', '/messages/text', message, { traceparent })).status).toBe(200);
    const told = await receiver.waitFor(
      ({ event, headers }) => event === 'message.sent' && String(headers['traceparent']).includes(traceId),
    );
    const isAttempt = ({ spanId }: { spanId: string }): boolean => String(told.headers['traceparent']).includes(spanId);
    // Each process sends its spans when it has gathered some.
    const isWhole = (span: CollectedSpan | undefined, found: readonly CollectedSpan[]): boolean =>
      lineageOf(found, span)[0] === 'gateway: POST /api/v1/messages/text';
    const isSend = ({ name }: CollectedSpan): boolean => name === 'send to network';
    const spans = await collector.trace(
      traceId,
      (found) => isWhole(found.find(isAttempt), found) && isWhole(found.find(isSend), found),
    );
    expect(lineageOf(spans, spans.find(isAttempt))).toEqual([
      'gateway: POST /api/v1/messages/text',
      'gateway: ask SendText',
      'outbound: answer SendText',
      'outbound: publish message.sent',
      'webhooks: process message.sent',
      'webhooks: POST webhook',
    ]);
    expect(lineageOf(spans, spans.find(isSend)).slice(-3)).toEqual([
      'outbound: ask DeliverMessage',
      'sessions: answer DeliverMessage',
      'sessions: send to network',
    ]);
    for (const { raw } of collector.spans)
      for (const secret of [text, contact, profile.phone, tenant.token]) expect(raw).not.toContain(secret);
  }, 600_000);

  it('has metrics of its own in each process', async () => {
    const { installation } = world;
    const metricsOf = async (service: Parameters<Distributed['replica']>[0]): Promise<string> =>
      (await installation.replica(service).health('/metrics')).text();
    expect(await metricsOf('gateway')).toContain(
      'http_request_duration_seconds_count{method="POST",route="/messages/text",status="200"} 1',
    );
    // A connection that a busy machine has lost comes back.
    const says = (service: Parameters<typeof metricsOf>[0], line: RegExp): Promise<true> =>
      eventually(async () => (line.test(await metricsOf(service)) ? true : undefined));
    await says('sessions', /^sessions_profiles\{status="connected"\} 1$/m);
    await says('outbound', /^outbound_lane_changes_total\{change="claimed"\} [1-9]/m);
    await says('webhooks', /^webhook_attempts_total\{outcome="delivered"\} [1-9]/m);
    await says('webhooks', /^dependency_up\{dependency="kafka"\} 1$/m);
    await eventually(async () => {
      const lags = [...(await metricsOf('webhooks')).matchAll(/^consumer_lag_events\{.*\} (\d+)$/gm)];
      return lags.length > 5 && lags.every(([, lag]) => lag === '0') ? true : undefined;
    });
    await eventually(async () =>
      (await metricsOf('outbound')).includes('relay_lag_seconds{service="outbound"} 0\n') ? true : undefined,
    );
  }, 600_000);

  it('lists what it gave up, and handles it once it is put back', async () => {
    const { installation, own, receiver } = world;
    const deadLetters = async (...args: string[]): Promise<string> => {
      const { amqpUrl: AMQP_URL, brokers, databaseUrl: DATABASE_URL } = own.urls;
      const ENCRYPTION_KEY = 'any key: no letter is sealed ...';
      const env = {
        PATH: process.env['PATH'],
        AMQP_URL,
        KAFKA_BROKERS: brokers.join(','),
        DATABASE_URL,
        ENCRYPTION_KEY,
      };
      return (await promisify(execFile)(process.execPath, [deadLettersCommand, 'dead-letters', ...args], { env }))
        .stdout;
    };
    const database = new Client({ connectionString: own.urls.databaseUrl });
    await database.connect();
    try {
      await database.query('ALTER TABLE webhooks.log_heads rename to log_heads_away');
      await tenant.call('POST', `/profiles/${profile.profileId}/disconnect`);
      await eventually(async () => {
        const text = await (await installation.replica('webhooks').health('/metrics')).text();
        return /^dead_letters\{service="webhooks"\} [1-9]/m.test(text) ? true : undefined;
      });
      expect(await deadLetters('list')).toMatch(/ {2}webhooks {2}connection\./);
      await database.query('ALTER TABLE webhooks.log_heads_away rename to log_heads');
      expect(await deadLetters('put-back', 'webhooks', '--all')).toContain('put back');
      await receiver.waitFor(({ event }) => event === 'connection.disconnected');
      await eventually(async () => {
        const { rows } = await database.query('SELECT FROM webhooks.dead_letters');
        return rows.length === 0 ? true : undefined;
      }, 600_000);
    } finally {
      await database.end();
    }
  }, 600_000);
}
