import { assertSameCluster, keepKnownValue } from '@messaging-gateway/event-sourcing';
import type { Logger } from '@messaging-gateway/runtime';
import type { Spans } from '@messaging-gateway/tracing';
import { markedStore, withAudit } from './auditing.ts';
import { askingTools } from './asking.ts';
import { type BindingTools, HandledEvents, serviceMetrics } from './bindings.ts';
import { openDatabase, type ServiceDatabase } from './database.ts';
import type { Publish, ServiceDefinition } from './definition.ts';
import { openJournal } from './journal.ts';
import { lifecycle, type PreparedService } from './lifecycle.ts';
import type { ServiceModule } from './module.ts';
import type { Host } from './ports.ts';
import { reactionsOf } from './reactions.ts';
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
 * @throws WrongKey when its data are sealed with another key
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
    signal: host.signal,
    ...(host.connections !== undefined && { connections: host.connections }),
  });
  try {
    await assertSameCluster(database.pool, [storage.schema]);
    await keepKnownValue(database.pool, storage.schema, host.encryption);
    return connected(module, settings, { host, spans, log, database });
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Base {
  readonly host: Host;
  readonly spans: Spans;
  readonly log: Logger;
  readonly database: ServiceDatabase;
}

function connected<Settings>(
  module: ServiceModule<Settings>,
  settings: Settings,
  { host, spans, log, database }: Base,
): PreparedService {
  const { clock, cache, media, erasureLog, metrics, encryption, ports } = host;
  const { schema } = module.storage;
  const measured = serviceMetrics(metrics, module.name);
  const publish: Publish = (entry) => definition.publish(entry);
  const opened = openJournal(module.storage, database.pool, host, withAudit(publish), measured.written);
  const store = markedStore(opened.store);
  const { journal } = opened;
  const { sql, patiently, em } = database;
  const asking = askingTools(ports, () => binding);
  const parts = {
    settings,
    store,
    journal,
    sql,
    patiently,
    em,
    cache,
    media,
    erasureLog,
    clock,
    log,
    metrics,
    spans,
    encryption,
  };
  const tools = { ...parts, ...asking };
  const definition: ServiceDefinition = module.connect(tools);
  const handled = new HandledEvents(
    reactionsOf(definition).map((row) => row.contract.type),
    host.handledElsewhere,
    host.readsWaitMs,
  );
  const named = { service: module.name, schema };
  const binding: BindingTools = { ...named, publish, store, em, clock, log, handled, metrics: measured };
  const closeJournal = (): Promise<void> => opened.close();
  return lifecycle({ module, host, database, store, journal, closeJournal, definition, binding });
}
