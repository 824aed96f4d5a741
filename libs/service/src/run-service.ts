import { assertSameCluster } from '@messaging-gateway/event-sourcing';
import { askingTools } from './asking.ts';
import type { BindingTools } from './bindings.ts';
import { openDatabase, type ServiceDatabase } from './database.ts';
import type { ServiceDefinition } from './definition.ts';
import { HandledEvents } from './handled-events.ts';
import { openJournal } from './journal.ts';
import { lifecycle, type PreparedService } from './lifecycle.ts';
import type { ServiceModule } from './module.ts';
import type { Host } from './ports.ts';
import { reactionsOf } from './reactions.ts';
import { serviceMetrics } from './service-metrics.ts';
import { traced } from './tracing.ts';

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

/**
 * Brings the schema up to date and connects the service; nothing runs yet.
 *
 * @throws OtherCluster when the journal was written in another PostgreSQL cluster and not restored
 */
export async function prepareService<Settings>(
  module: ServiceModule<Settings>,
  settings: Settings,
  untraced: Host,
): Promise<PreparedService> {
  const { host, spans } = traced(untraced, module.name);
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
    await assertSameCluster(database.pool, [storage.schema]);
    const opened = openJournal(storage, database.pool, host, (entry) => definition.publish(entry));
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
      spans,
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
