import type { EventStore, JournalReader } from '@messaging-gateway/event-sourcing';
import { askingTools } from './asking.ts';
import { internalHandler, operationHandler, type BindingTools } from './bindings.ts';
import { commandRow } from './command-rows.ts';
import { openDatabase, type ServiceDatabase } from './database.ts';
import type { ReactionRow, ServiceDefinition } from './definition.ts';
import { HandledEvents } from './handled-events.ts';
import { openJournal } from './journal.ts';
import type { ServiceModule } from './module.ts';
import type { Host } from './ports.ts';
import { subscriptionOf } from './reactions.ts';
import { serviceMetrics } from './service-metrics.ts';
import { tells } from './tellers.ts';

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
  /** Long-lived parts, then reactions, then operations and commands. */
  readonly start: () => Promise<void>;
  /** Operations and commands are no longer taken, then the long-lived parts stop. */
  readonly stopIntake: () => Promise<void>;
  /** Reactions and the telling of events stop, and the database is closed. */
  readonly close: () => Promise<void>;
}

export interface RunningService {
  readonly definition: ServiceDefinition;
  readonly database: ServiceDatabase;
  stop(): Promise<void>;
}

/** Runs one service: database, journal, long-lived parts, reactions, operations, in this order. */
export async function runService<Settings>(
  module: ServiceModule<Settings>,
  settings: Settings,
  host: Host,
): Promise<RunningService> {
  const service = await prepareService(module, settings, host);
  const stop = async (): Promise<void> => {
    await service.stopIntake();
    await service.close();
  };
  try {
    await service.start();
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { definition: service.definition, database: service.database, stop };
}

/** Brings the schema up to date and connects the service; nothing runs yet. */
export async function prepareService<Settings>(
  module: ServiceModule<Settings>,
  settings: Settings,
  host: Host,
): Promise<PreparedService> {
  const { storage, entities, migrations } = module;
  const log = host.log.child({ service: module.name });
  const database = await openDatabase({
    url: host.databaseUrl,
    schema: storage.schema,
    entities,
    migrations,
    log,
    ...(host.connections !== undefined && { connections: host.connections }),
  });
  try {
    const opened = openJournal(storage, database.pool, host);
    const { store, journal } = opened;
    const { clock, cache, metrics, encryption, ports } = host;
    const asking = askingTools(ports, () => binding);
    const definition = module.connect({
      settings,
      store,
      journal,
      sql: database.sql,
      orm: database.orm,
      cache,
      clock,
      log,
      metrics,
      encryption,
      ...asking,
    });
    const binding: BindingTools = {
      service: module.name,
      schema: storage.schema,
      publish: definition.publish,
      clock,
      log,
      handled: new HandledEvents(reactionsOf(definition).map((row) => row.contract.type)),
      metrics: serviceMetrics(metrics, module.name),
    };
    return lifecycle({
      module,
      host,
      database,
      store,
      journal,
      closeJournal: () => opened.close(),
      definition,
      binding,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Parts {
  readonly module: Pick<ServiceModule<never>, 'name' | 'storage'>;
  readonly host: Host;
  readonly database: ServiceDatabase;
  readonly store: EventStore;
  readonly journal: JournalReader;
  readonly closeJournal: Stop;
  readonly definition: ServiceDefinition;
  readonly binding: BindingTools;
}

function lifecycle(parts: Parts): PreparedService {
  const {
    definition,
    database,
    store,
    host: { ports },
    module: { name, storage },
    binding,
  } = parts;
  const intake: Stop[] = [];
  const running: Stop[] = [];
  const events: Stop[] = [];
  const start = async (): Promise<void> => {
    events.push(
      await ports.events.publishFrom({
        name,
        schema: storage.schema,
        journal: parts.journal,
        publish: definition.publish,
        owns: (kind) => tells(name, kind),
      }),
    );
    for (const part of definition.running) {
      running.unshift(() => part.stop());
      await part.start();
    }
    const reactions = reactionsOf(definition);
    if (reactions.length > 0)
      events.push(
        await ports.events.subscribe(
          subscriptionOf(reactions, { schema: storage.schema, pool: database.pool }, binding),
        ),
      );
    for (const row of definition.rows) if (row.row !== 'reaction') intake.push(await serve(row, parts));
  };
  const stopIntake = async (): Promise<void> => {
    const answered = Promise.all(intake.splice(0).map((stop) => stop()));
    for (const stop of running.splice(0)) await stop();
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, lastAnswersMs).unref())]);
  };
  const close = async (): Promise<void> => {
    for (const stop of events.splice(0).toReversed()) await stop();
    await parts.closeJournal();
    await database.close();
  };
  return { name, database, store, journal: parts.journal, definition, start, stopIntake, close };
}

function serve(row: Exclude<Row, ReactionRow>, { host: { ports }, binding, module }: Parts): Promise<Stop> {
  if (row.row === 'command') return commandRow(row, module.name, ports.commands, binding);
  const handler = row.row === 'operation' ? operationHandler(row, binding) : internalHandler(row, binding);
  return ports.operations.serve(row.contract.name, handler);
}

const reactionsOf = ({ rows }: ServiceDefinition): readonly ReactionRow[] =>
  rows.filter((row) => row.row === 'reaction');
