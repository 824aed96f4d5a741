import type { EventStore, JournalReader } from '@messaging-gateway/event-sourcing';
import { withAudit } from './auditing.ts';
import { internalHandler, operationHandler } from './bindings.ts';
import type { ServiceDatabase } from './database.ts';
import type { ReactionRow, Running, ServiceDefinition } from './definition.ts';
import { jobsRunning, type Job } from './jobs.ts';
import { reactionsOf, subscriptionOf } from './reactions.ts';
import type { Parts } from './service-parts.ts';
import { serviceMetrics } from './service-metrics.ts';
import { mayTell } from './owners-of-facts.ts';
import { upkeep } from './upkeep.ts';

type Stop = () => Promise<void>;
type Row = ServiceDefinition['rows'][number];

/** How long a stop waits for requests in progress, milliseconds. */
const lastAnswersMs = 5_000;

/** A service whose schema is ready. */
export interface PreparedService {
  readonly name: string;
  readonly database: ServiceDatabase;
  readonly store: EventStore;
  readonly journal: JournalReader;
  readonly definition: ServiceDefinition;
  /** Long-lived parts, then reactions, then operations. */
  readonly start: () => Promise<void>;
  /** Operations are no longer taken, then the long-lived parts stop. */
  readonly stopIntake: () => Promise<void>;
  /** Reactions and the telling of events stop, and the database is closed. */
  readonly close: () => Promise<void>;
}

/** Starts the parts of a service in their order, and stops them in the reverse one. */
export function lifecycle(parts: Parts): PreparedService {
  const { definition, database, store, journal, module, binding } = parts;
  const intake: Stop[] = [];
  const running: Stop[] = [];
  const events: Stop[] = [];
  const start = async (): Promise<void> => {
    const keeping = jobsOf(parts, [upkeep(parts)]);
    events.push(await tell(parts), () => keeping.stop(), serviceMetrics(parts));
    await keeping.start();
    for (const part of [...definition.running, jobsOf(parts, definition.jobs ?? [])]) {
      running.unshift(() => part.stop());
      await part.start();
    }
    const rows = reactionsOf(definition);
    const home = { schema: module.storage.schema, pool: database.pool };
    if (rows.length > 0) events.push(await parts.host.ports.events.subscribe(subscriptionOf(rows, home, binding)));
    for (const row of definition.rows) if (row.row !== 'reaction') intake.push(await serve(row, parts));
  };
  /** Stops all; one that fails to stop holds up nothing else. */
  const stopped = async (stops: Stop[]): Promise<void> => {
    for (const stop of stops) {
      await stop().catch((error: unknown) => binding.log.error('Part not stopped', { reason: String(error) }));
    }
  };
  const stopIntake = async (): Promise<void> => {
    const answered = Promise.allSettled(intake.splice(0).map((stop) => stop()));
    await stopped(running.splice(0));
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, lastAnswersMs).unref())]);
  };
  const close = async (): Promise<void> => {
    await stopped(events.splice(0).toReversed());
    await stopped([parts.closeJournal, () => database.close()]);
  };
  return { name: module.name, database, store, journal, definition, start, stopIntake, close };
}

function tell({ module, host, journal, definition, database: { pool }, binding: { metrics } }: Parts): Promise<Stop> {
  const { name, storage } = module;
  return host.ports.events.publishFrom({
    name,
    schema: storage.schema,
    journal,
    publish: withAudit(definition.publish),
    pool,
    owns: (kind) => mayTell(name, kind),
    onUntold: (type) => metrics.deadLetter(`untold ${type}`),
  });
}

function jobsOf({ module, host, database, binding }: Parts, jobs: readonly Job[]): Running {
  const { clock, metrics } = host;
  return jobsRunning(jobs, { service: module.name, clock, log: binding.log, metrics, pool: database.pool });
}

function serve(row: Exclude<Row, ReactionRow>, { host: { ports }, binding }: Parts): Promise<Stop> {
  const handler = row.row === 'operation' ? operationHandler(row, binding) : internalHandler(row, binding);
  return ports.operations.serve(row.contract.name, handler);
}
