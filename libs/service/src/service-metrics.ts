import { sampledGauge } from '@messaging-gateway/runtime';
import type { Parts } from './service-parts.ts';

/** Metrics of dead letters and event lag of a service, sampled when the metrics are read. @returns no longer looks */
export function serviceMetrics(parts: Parts): () => Promise<void> {
  const { metrics } = parts.host;
  const { service, schema } = parts.binding;
  const labels = ['service'];
  const { pool } = parts.database;
  const stops = [
    sampledGauge(
      metrics,
      { name: 'dead_letters', help: 'Dead letters that wait to be put back or forgotten', labels },
      async () => {
        const { rows } = await pool.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM "${schema}".dead_letters WHERE put_back_at IS NULL`,
        );
        return [{ labels: { service }, value: rows[0]?.count ?? 0 }];
      },
    ),
    sampledGauge(
      metrics,
      {
        name: 'consumer_lag_events',
        help: 'Events that a service has not handled yet, as far as this process knows',
        labels: ['service', 'kind'],
      },
      () =>
        [...(parts.host.ports.events.lag?.(service) ?? [])].map(([kind, value]) => ({
          labels: { service, kind },
          value,
        })),
    ),
    sampledGauge(
      metrics,
      {
        name: 'consumer_oldest_event_seconds',
        help: 'How long the oldest event has been in hand that a service has not finished, those set aside included',
        labels: ['service', 'kind'],
      },
      () => oldestEvents(parts),
    ),
    sampledGauge(
      metrics,
      {
        name: 'delayed_events',
        help: 'Events that were set aside with their keys, as these do not get through, and are tried from time to time',
        labels: ['service', 'kind'],
      },
      () => delayedEvents(parts),
    ),
    sampledGauge(
      metrics,
      {
        name: 'relay_lag_seconds',
        help: 'Age of the oldest entry of the journal that was not told to Kafka yet',
        labels,
      },
      () => relayLag(parts),
    ),
  ];
  return async () => stops.forEach((stop) => stop());
}

interface OfKind {
  readonly labels: { readonly service: string; readonly kind: string };
  readonly value: number;
}

async function delayedEvents({ binding: { service, schema }, database: { pool } }: Parts): Promise<OfKind[]> {
  const { rows } = await pool.query<{ kind: string; value: number }>(
    `SELECT name AS kind, count(*)::int AS value FROM "${schema}".delayed_events WHERE consumer = $1 GROUP BY name`,
    [service],
  );
  return rows.map(({ kind, value }) => ({ labels: { service, kind }, value }));
}

async function oldestEvents({ host, binding: { service, schema }, database: { pool } }: Parts): Promise<OfKind[]> {
  const { rows } = await pool.query<{ kind: string; seconds: number }>(
    `SELECT name AS kind, extract(epoch FROM clock_timestamp() - min(since))::float AS seconds
       FROM "${schema}".delayed_keys WHERE consumer = $1 GROUP BY name`,
    [service],
  );
  const delayed = new Map(rows.map(({ kind, seconds }) => [kind, seconds]));
  return [...(host.ports.events.oldest?.(service) ?? [])].map(([kind, ms]) => ({
    labels: { service, kind },
    value: Math.max(ms / 1000, delayed.get(kind) ?? 0),
  }));
}

/** Lag of the relay; none where no broker stands between a journal and its readers. */
async function relayLag({ host, binding, journal }: Parts): Promise<{ labels: { service: string }; value: number }[]> {
  const { service, schema } = binding;
  const { events } = host.ports;
  if (events.toldUpTo === undefined) return [];
  const [oldest] = await journal.after(events.toldUpTo(schema), 1);
  const value = oldest === undefined ? 0 : Math.max(0, host.clock.now() - oldest.at.getTime()) / 1000;
  return [{ labels: { service }, value }];
}
