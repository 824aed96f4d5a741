import {
  type AnswerOf,
  type BodyOf,
  type DataOf,
  type EventContract,
  type EventEnvelope,
  type InternalOperation,
  type Operation,
  type OperationReply,
} from '@messaging-gateway/contracts';
import { allReadable, rebuildViews, type JournalEntry } from '@messaging-gateway/event-sourcing';
import type { MediaStore } from '@messaging-gateway/media';
import { envelopesOf, eventIdOf } from '@messaging-gateway/messaging';
import { type TestClock } from '@messaging-gateway/runtime';
import { Registry } from 'prom-client';
import type { Static } from 'typebox';
import { v7 } from 'uuid';
import type { ServiceDefinition } from '../definition.ts';
import type { AskOptions, ServiceModule } from '../module.ts';
import type { Sql } from '../sql.ts';
import type { Host, Ports } from '../ports.ts';
import type { PreparedService } from '../lifecycle.ts';
import { prepareService } from '../run-service.ts';
import { callAsGateway, type CallOptions } from './calling.ts';
import type { Deliveries } from './deliveries.ts';
import type { Division } from './divided-events.ts';
import type { MemoryJournal } from './memory-journal.ts';
import { replicaHosts, type ReplicaHosts } from './replica-hosts.ts';
import { openTestHost, type TestHostOptions } from './test-host.ts';

export type { CallOptions } from './calling.ts';

export interface TestServiceOptions<Settings> extends TestHostOptions {
  readonly settings: Settings;
  /** Instances of the service side by side. Default 1. */
  readonly replicas?: number;
  /** Where events go when there are several. Default `one`. */
  readonly division?: Division;
  /** Puts the fakes of other services in place, before the service starts. */
  readonly others?: (fake: TestService['fake']) => Promise<unknown>;
}

interface Emitted {
  readonly organizationId: string;
  readonly profileId?: string;
  readonly key?: string;
  readonly requestId?: string;
  /** When it happened, ISO 8601; now by default. */
  readonly time?: string;
}

/** One service on a real PostgreSQL and in-process buses; other services are faked at the bus. */
export interface TestService {
  readonly clock: TestClock;
  readonly ports: Ports;
  /** Where the service finds media. */
  readonly media: MediaStore;
  readonly sql: Sql;
  readonly definition: ServiceDefinition;
  /** Calls a route as the gateway does; input and answer are checked against the contract. @throws Refused */
  readonly call: <O extends Operation>(contract: O, options?: CallOptions<BodyOf<O>>) => Promise<OperationReply>;
  /** Asks an internal operation as another service does. @throws Refused */
  readonly ask: <O extends InternalOperation>(
    contract: O,
    body: Static<O['body']>,
    options?: AskOptions,
  ) => Promise<AnswerOf<O>>;
  /** Answers an internal operation of another service. @returns stops it */
  readonly fake: <O extends InternalOperation>(
    contract: O,
    handler: (body: Static<O['body']>) => Promise<AnswerOf<O>> | AnswerOf<O>,
    route?: string,
  ) => Promise<() => Promise<void>>;
  /** Tells the service a fact of another service; resolves when it was handled, rejects when it was given up. */
  readonly emit: <E extends EventContract>(
    contract: E,
    data: DataOf<E>,
    about: Emitted,
  ) => Promise<EventEnvelope<DataOf<E>>>;
  /** Facts that the service has told so far, oldest first: of one kind, or all. */
  published(): Promise<EventEnvelope[]>;
  published<E extends EventContract>(contract: E): Promise<EventEnvelope<DataOf<E>>[]>;
  /** Metrics of the service, as Prometheus reads them; of several replicas those of the first. */
  metrics(): Promise<string>;
  /** Makes the service's views anew from its journal. @returns their names */
  rebuildViews(): Promise<readonly string[]>;
  /** Stops the service and starts it again on the same data. */
  restart(): Promise<void>;
  /** Stops one replica in order. */
  stopReplica(index: number): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a service for a test that goes in at one door and out at another. Stop it at the end. */
export async function testService<Settings>(
  module: ServiceModule<Settings>,
  options: TestServiceOptions<Settings>,
): Promise<TestService> {
  const { clock, ports, host, deliveries, foreign, close } = await openTestHost(module, options);
  const { hosts, close: closeReplicas } = hostsOf(host, module.storage.schema, options);
  const current = new Map<Host, PreparedService>();
  let registries: readonly Registry[] = [];
  const start = async (): Promise<void> => {
    registries = hosts.map(() => new Registry());
    const prepared = await Promise.all(
      hosts.map((one, index) =>
        prepareService(module, options.settings, { ...one, metrics: registries[index] as Registry }),
      ),
    );
    prepared.forEach((one, index) => current.set(hosts[index] as Host, one));
    await Promise.all(prepared.map((one) => one.start()));
  };
  const haltOne = async (one: Host | undefined): Promise<void> => {
    const prepared = one && current.get(one);
    await prepared?.stopIntake();
    await prepared?.close();
    if (one !== undefined) current.delete(one);
  };
  const halt = async (): Promise<void> => {
    for (const one of hosts) await haltOne(one);
  };
  const running = (): PreparedService => {
    const [first] = current.values();
    if (first === undefined) throw new Error(`${module.name} is stopped.`);
    return first;
  };
  const doors = doorsOf(ports, clock);
  const stop = async (): Promise<void> => {
    await halt();
    await closeReplicas();
    await close();
  };
  try {
    await options.others?.(doors.fake);
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    clock,
    ports,
    media: host.media,
    ...doors,
    get sql() {
      return running().database.sql;
    },
    get definition() {
      return running().definition;
    },
    emit: (contract, data, about) => emit(foreign, deliveries, clock, contract, data, about),
    published: async (contract?: EventContract) => published(running(), module, contract) as never,
    metrics: async () => (await registries[0]?.metrics()) ?? '',
    rebuildViews: () => {
      const { schema, streams, inlineViews } = module.storage;
      const { pool } = running().database;
      return rebuildViews({ pool, schema, streams, inlineViews, encryption: host.encryption, clock });
    },
    restart: async () => {
      await halt();
      await start();
    },
    stopReplica: (index) => haltOne(hosts[index]),
    stop,
  };
}

type Several = Pick<TestServiceOptions<unknown>, 'replicas' | 'division'>;

function hostsOf(host: Host, schema: string, { replicas = 1, division = 'one' }: Several): ReplicaHosts {
  if (replicas === 1) return { hosts: [host], close: async () => undefined };
  return replicaHosts(host, schema, replicas, division);
}

function doorsOf(ports: Ports, clock: TestClock): Pick<TestService, 'call' | 'ask' | 'fake'> {
  return {
    call: (contract, options = {}) => callAsGateway(ports.operations, clock, contract, options),
    ask: async (contract, body, options = {}) => {
      const id = v7();
      const deadline = options.deadline ?? clock.now() + (options.timeoutMs ?? contract.timeoutMs ?? 10_000);
      const request = {
        requestId: options.requestId ?? id,
        resourceId: id,
        params: {},
        query: {},
        body,
        deadline,
        ...(options.caller && { caller: options.caller }),
      };
      const reply = await ports.operations.request(
        contract.name,
        request,
        options.route === undefined ? {} : { route: options.route },
      );
      return reply.body as never;
    },
    fake: (contract, handler, route) =>
      ports.operations.serve(
        contract.name,
        async (request) => ({ status: 200, body: await handler(request.body as never) }),
        route,
      ),
  };
}

async function emit<E extends EventContract>(
  journal: MemoryJournal,
  deliveries: Deliveries,
  clock: TestClock,
  contract: E,
  data: DataOf<E>,
  about: Emitted,
): Promise<EventEnvelope<DataOf<E>>> {
  if (!deliveries.takes(contract.type)) throw new Error(`The service has no reaction to ${contract.type}.`);
  const { organizationId, profileId, key, requestId, time } = about;
  const metadata = {
    organizationId,
    subject: `organization:${organizationId}`,
    ...(profileId !== undefined && { profileId }),
    ...(requestId !== undefined && { requestId }),
  };
  const fact = { contract, data, ...(key !== undefined && { key }), ...(time !== undefined && { time }) };
  const entry = journal.add(fact, metadata, new Date(clock.now()));
  await deliveries.settled(eventIdOf('test', { ...entry, generation: entry.place.generation }, contract.type));
  const [envelope] = envelopesOf(
    journal.source(() => true),
    entry,
    () => true,
    () => undefined,
  );
  return envelope as EventEnvelope<DataOf<E>>;
}

/** Waits for what was appended before the call: transactions of other tests of the cluster can hold readers back. */
async function published(
  { journal, definition, database }: PreparedService,
  module: ServiceModule<never>,
  contract: EventContract | undefined,
): Promise<EventEnvelope[]> {
  const source = { name: module.name, schema: module.storage.schema, journal, publish: definition.publish };
  const wanted = (kind: string): boolean => contract === undefined || kind === contract.type;
  const [end] = await database.sql.query<{ position: string | null }>('SELECT max(position) AS position FROM events');
  const told: EventEnvelope[] = [];
  let last: JournalEntry | undefined;
  let furthest = 0n;
  for (let tries = 0; tries < 10_000; tries += 1) {
    const entries = allReadable(await journal.after(last?.place, 500));
    for (const entry of entries) told.push(...envelopesOf(source, entry, wanted, () => undefined));
    last = entries.at(-1) ?? last;
    for (const { place } of entries) if (place.position > furthest) furthest = place.position;
    if (entries.length > 0) continue;
    if (furthest >= BigInt(end?.position ?? 0)) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return told;
}
