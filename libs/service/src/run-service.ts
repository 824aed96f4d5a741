import type { InternalOperation, OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { assertSameCluster, keepKnownValue } from '@messaging-gateway/event-sourcing';
import { isUnseen, Refused, type OperationBus } from '@messaging-gateway/messaging';
import type { Clock, Logger } from '@messaging-gateway/runtime';
import type { Spans } from '@messaging-gateway/tracing';
import { v7 } from 'uuid';
import { markHandedOn, withAudit } from './auditing.ts';
import { type BindingTools, HandledEvents, internalHandler, serviceMetrics } from './bindings.ts';
import { openDatabase, type ServiceDatabase } from './database.ts';
import type { Publish, ServiceDefinition } from './definition.ts';
import { openJournal } from './journal.ts';
import { lifecycle, type PreparedService } from './lifecycle.ts';
import type { AskOptions, ServiceModule, ServiceTools } from './module.ts';
import type { Host, Ports } from './ports.ts';
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
  const { store, journal } = opened;
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

const usualTimeoutMs = 10_000;

/** The part of a service's tools that reaches other services. */
function askingTools(ports: Ports, binding: () => BindingTools): Pick<ServiceTools<unknown>, 'ask' | 'serveRoute'> {
  const { operations } = ports;
  return {
    ask: async (contract, body, options = {}) => {
      const { route } = options;
      const { clock } = binding();
      const audit = markHandedOn(options.raised);
      const request = { ...requestOf(contract, body, options, clock.now()), ...(audit && { audit }) };
      const holdMs = options.holdMs ?? ports.holdMs ?? usualHoldMs;
      const asked =
        route === undefined
          ? operations.request(contract.name, request)
          : heldRequest(operations, contract.name, request, { ...options, route, holdMs, clock });
      const reply = await asked.catch((error: unknown) => {
        if (error instanceof Refused && error.raised !== undefined) options.raised?.(error.raised);
        throw error;
      });
      if (reply.raised !== undefined) options.raised?.(reply.raised);
      return reply.body as never;
    },
    serveRoute: (contract, route, handler) => {
      return operations.serve(contract.name, internalHandler({ row: 'internal', contract, handler }, binding()), route);
    },
  };
}

function requestOf(contract: InternalOperation, body: unknown, options: AskOptions, now: number): OperationRequest {
  const resourceId = v7();
  const { traceparent, caller } = options;
  return {
    requestId: options.requestId ?? resourceId,
    resourceId,
    params: {},
    query: {},
    body,
    deadline: options.deadline ?? now + (options.timeoutMs ?? contract.timeoutMs ?? usualTimeoutMs),
    ...(traceparent !== undefined && { traceparent }),
    ...(caller !== undefined && { caller }),
  };
}

/** How long a routed request is held while its holder changes, milliseconds (docs/decisions/0293). */
const usualHoldMs = 10_000;
/** Until it is tried again, milliseconds. */
const againMs = 100;

export interface Holding extends Pick<AskOptions, 'timeAfterHold' | 'isStillHeld'> {
  readonly route: string;
  /** Milliseconds; 0 asks once. */
  readonly holdMs: number;
  readonly clock: Clock;
}

/**
 * Asks the holder of a route. While nobody serves the route, because its holder stops and the next one takes over, the
 * request is held instead of refused: nobody has seen it, so asking again does nothing twice.
 *
 * @throws Refused what the holder threw; `unseen` when nobody has come up in time
 * @see docs/decisions/0293-requests-are-held-by-those-who-ask.md
 */
export async function heldRequest(
  operations: OperationBus,
  name: string,
  request: OperationRequest,
  { route, holdMs, clock, timeAfterHold = false, isStillHeld = () => true }: Holding,
): Promise<OperationReply> {
  const answerMs = request.deadline - clock.now();
  const until = clock.now() + (timeAfterHold ? holdMs : Math.min(holdMs, answerMs));
  for (;;) {
    const asked = timeAfterHold ? { ...request, deadline: clock.now() + answerMs } : request;
    try {
      return await operations.request(name, asked, { route });
    } catch (error) {
      if (!isUnseen(error) || clock.now() + againMs >= until || !isStillHeld()) throw error;
      await clock.sleep(againMs);
      if (!isStillHeld()) throw error;
    }
  }
}
