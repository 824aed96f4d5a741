import {
  ApplySendingPolicy,
  ConnectProfile,
  CreateProfile,
  DeliverMessage,
  EnsureDefaultAccount,
  GetProfileStatus,
  GetQr,
  ReadSendingStates,
  type AnswerOf,
  type Caller,
  type OperationReply,
} from '@messaging-gateway/contracts';
import { inProcessEventBus } from '@messaging-gateway/messaging';
import { openRabbitMq } from '@messaging-gateway/messaging/brokers';
import { startSimulator, type Simulator } from '@messaging-gateway/network-simulator';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, systemClock } from '@messaging-gateway/runtime';
import {
  internalOperation,
  prepareService,
  type AskOptions,
  type ServiceModule,
  type ServiceTools,
} from '@messaging-gateway/service';
import { callAsGateway, testCaller } from '@messaging-gateway/service/testing';
import { testDatabase, testRabbitMq } from '@messaging-gateway/testing';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import { newNetworkId, sessionKey, until } from './engine-harness.ts';
import { fakeOutbound } from './fakes.ts';
import { ReplicaProcess, type ReplicaOptions } from './replica-process.ts';
import type { Made } from './sessions-test.ts';

/** Several replicas of sessions, each its own process, on one database, one RabbitMQ and one simulated network. */
export interface ReplicasTest {
  readonly simulator: Simulator;
  readonly caller: Caller;
  /** Asks as outbound does: held while the holder changes. */
  readonly ask: ServiceTools<object>['ask'];
  start(options?: Partial<ReplicaOptions>): Promise<ReplicaProcess>;
  create(): Promise<Made>;
  connect(profile: Made, body?: object): Promise<OperationReply>;
  statusOf(profileId: string): Promise<{ status: string; statusReason: string | null; since: string }>;
  reaches(profileId: string, status: string, milliseconds?: number): Promise<unknown>;
  qrOf(profile: Made): Promise<string>;
  /** A phone scans the code that a profile shows; resolves when it is connected. */
  scanned(profile: Made, phone: string): Promise<void>;
  /** A profile that is linked to a phone by QR code, and connected. */
  linked(phone: string): Promise<Made>;
  deliver(
    profileId: string,
    to: string,
    text: string,
    id?: string,
    how?: AskOptions,
  ): Promise<AnswerOf<typeof DeliverMessage>>;
  readonly databaseUrl: string;
  /** How many inbound messages the journal has. */
  received(): Promise<number>;
  /** How often presence was told. */
  presencesTold(): Promise<number>;
  /** Whom the row names. */
  holderOf(profileId: string): Promise<{ readonly replicaId: string | null; readonly epoch: number }>;
  /** Since when the heartbeats of a replica have come without a gap, milliseconds since 1970 by the database's clock. */
  beatingSince(replicaId: string | null): Promise<number>;
  /** How many profiles each replica holds, and how many are free, the most first. */
  held(): Promise<{ readonly byReplica: readonly number[]; readonly free: number }>;
  /** How many devices of a phone have a socket. */
  sockets(phone: string): Promise<number>;
  stop(): Promise<void>;
}

/** Outbound as far as sessions asks it; its tools ask as a service does. */
function prober(): { module: ServiceModule<object>; tools(): ServiceTools<object> } {
  const gate = fakeOutbound();
  let given: ServiceTools<object> | undefined;
  const module: ServiceModule<object> = {
    name: 'outbound',
    storage: { schema: 'prober', streams: [], inlineViews: [], guards: [] },
    migrations: [],
    connect: (tools) => {
      given = tools;
      return {
        name: 'outbound',
        rows: [
          internalOperation(ApplySendingPolicy, async (body) => gate.apply(body)),
          internalOperation(ReadSendingStates, async (body) => gate.read(body)),
        ],
        publish: () => [],
        running: [],
      };
    },
  };
  return {
    module,
    tools: () => {
      if (given === undefined) throw new Error('Not connected.');
      return given;
    },
  };
}

export async function replicasTest(): Promise<ReplicasTest> {
  const [simulator, database, rabbit] = await Promise.all([startSimulator(), testDatabase(), testRabbitMq()]);
  const [clock, log] = [systemClock, silentLogger];
  const broker = openRabbitMq({ url: rabbit.url, clock, log });
  const { operations } = broker;
  const { module, tools } = prober();
  const service = await prepareService(
    module,
    {},
    {
      ports: { operations, events: inProcessEventBus({ clock, log }) },
      databaseUrl: database.url,
      clock,
      log,
      metrics: new Registry(),
      cache: memoryCache(clock),
      media: noMedia,
      encryption: encryptionKeys(sessionKey),
    },
  );
  await service.start();
  const { ask } = tools();
  const caller = testCaller();
  const { organizationId } = caller;
  const running: ReplicaProcess[] = [];
  const statusOf: ReplicasTest['statusOf'] = async (id) =>
    (await callAsGateway(operations, clock, GetProfileStatus, { caller, params: { id } })).body as never;
  const reaches: ReplicasTest['reaches'] = (id, status, milliseconds) =>
    until(async () => (await statusOf(id).catch(() => undefined))?.status === status, milliseconds);
  const qrOf: ReplicasTest['qrOf'] = async ({ id, accountId }) => {
    const params = { accountId, profileId: id };
    const shown = await until(() => callAsGateway(operations, clock, GetQr, { caller, params }).catch(() => undefined));
    return (shown.body as { qr: string }).qr;
  };
  const create: ReplicasTest['create'] = async () => {
    await ask(EnsureDefaultAccount, { organizationId, workspaceId: organizationId });
    return (await callAsGateway(operations, clock, CreateProfile, { caller, body: { name: 'Sales' } })).body as Made;
  };
  const connect: ReplicasTest['connect'] = ({ id }, body = {}) =>
    callAsGateway(operations, clock, ConnectProfile, { caller, params: { id }, body });
  const scanned: ReplicasTest['scanned'] = async (profile, phone) => {
    // On a slow machine the code may have changed meanwhile.
    await until(async () =>
      simulator.scan(phone, await qrOf(profile)).then(
        () => true,
        () => false,
      ),
    );
    await reaches(profile.id, 'connected');
  };
  const { sql } = service.database;
  const journalled = async (type: string): Promise<number> => {
    const [row] = await sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM sessions.events WHERE type = $1',
      [type],
    );
    return row?.count ?? 0;
  };
  return {
    simulator,
    caller,
    databaseUrl: database.url,
    received: () => journalled('MessageSeen'),
    presencesTold: () => journalled('PresenceSeen'),
    holderOf: async (profileId) => {
      const [row] = await sql.query<{ replica_id: string | null; epoch: string }>(
        'SELECT replica_id, epoch FROM sessions.leases WHERE key = $1',
        [profileId],
      );
      if (row === undefined) throw new Error('Nobody ever held it.');
      return { replicaId: row.replica_id, epoch: Number(row.epoch) };
    },
    beatingSince: async (replicaId) => {
      const [row] = await sql.query<{ since: string }>(
        'SELECT extract(epoch FROM beating_since) * 1000 AS since FROM sessions.replicas WHERE id = $1',
        [replicaId],
      );
      return Number(row?.since);
    },
    held: async () => {
      const rows = await sql.query<{ replica_id: string | null; count: number }>(
        'SELECT replica_id, count(*)::int AS count FROM sessions.leases GROUP BY replica_id ORDER BY 2 DESC',
      );
      return {
        byReplica: rows.flatMap(({ replica_id, count }) => (replica_id === null ? [] : [count])),
        free: rows.find(({ replica_id }) => replica_id === null)?.count ?? 0,
      };
    },
    sockets: async (phone) => (await simulator.phone(phone)).devices.filter(({ connected }) => connected).length,
    ask,
    statusOf,
    reaches,
    qrOf,
    scanned,
    create,
    connect,
    start: async (options = {}) => {
      const replica = new ReplicaProcess({
        databaseUrl: database.url,
        brokerUrl: rabbit.url,
        network: { url: simulator.url, rootKey: simulator.rootKey },
        ...options,
      });
      running.push(replica);
      await replica.ready;
      return replica;
    },
    linked: async (phone) => {
      const profile = await create();
      await connect(profile);
      await scanned(profile, phone);
      return profile;
    },
    deliver: (profileId, to, text, networkMessageId = newNetworkId(), how = {}) => {
      const content = { type: 'text' as const, content: { text } };
      const body = {
        organizationId,
        profileId,
        messageId: v7(),
        networkMessageId,
        laneEpoch: 1,
        to: `${to}@c.us`,
        content,
      };
      return ask(DeliverMessage, body, { route: profileId, ...how });
    },
    stop: async () => {
      await Promise.all(running.map((replica) => replica.kill()));
      await service.stopIntake();
      await service.close();
      await broker.close();
      await Promise.all([simulator.stop(), rabbit.drop()]);
      await database.drop();
    },
  };
}
