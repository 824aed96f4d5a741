import {
  ApplySendingPolicy,
  SendText,
  type Caller,
  type DataOf,
  type EventContract,
  type EventEnvelope,
  type OperationReply,
} from '@messaging-gateway/contracts';
import { inProcessOperationBus, type EventHandler, type OperationBus } from '@messaging-gateway/messaging';
import { noMedia } from '@messaging-gateway/media/testing';
import { encryptionKeys, memoryCache, silentLogger, testClock, type TestClock } from '@messaging-gateway/runtime';
import { inProcessPorts, prepareService, type PreparedService, type Sql } from '@messaging-gateway/service';
import { callAsGateway, testCaller, type CallOptions, type TestService } from '@messaging-gateway/service/testing';
import { testDatabase } from '@messaging-gateway/testing';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import type { OutboundSettings } from '../config.ts';
import { outbound } from '../index.ts';
import { FakeSessions } from './fake-sessions.ts';
import { recipient } from './outbound-test.ts';
import { notOverMidnight } from './not-over-midnight.ts';
import { noOtherChannels } from './other-channels.ts';

/** One replica of outbound, with a door of its own: the test says at which replica a request or an event arrives. */
export interface Replica {
  readonly door: OperationBus;
  /** An event arrives at this replica. */
  readonly tell: <E extends EventContract>(contract: E, data: DataOf<E>, profile: ReplicasProfile) => Promise<void>;
  /** As at SIGTERM. */
  readonly stop: () => Promise<void>;
}

export interface ReplicasProfile {
  readonly profileId: string;
  readonly caller: Caller;
  readonly sendAt: (
    replica: Replica,
    text: string,
    options?: Pick<CallOptions, 'resourceId' | 'repeated' | 'timeoutMs'> & { to?: string },
  ) => Promise<OperationReply>;
}

/** Several replicas of outbound in one process, on one database and one bus, with a network at the other end. */
export interface ReplicasTest {
  readonly clock: TestClock;
  readonly network: FakeSessions;
  readonly replica: () => Promise<Replica>;
  readonly profile: (
    at: Replica,
    policy?: { messageDelayMs?: number; dailyMessageLimit?: number | null },
  ) => Promise<ReplicasProfile>;
  readonly applyAt: (
    at: Replica,
    profile: ReplicasProfile,
    policy: { messageDelayMs?: number; dailyMessageLimit?: number | null },
  ) => Promise<void>;
  /** Answers an internal operation of another service. @returns stops it */
  readonly fake: TestService['fake'];
  /** On the schema of outbound. */
  readonly sql: Sql;
  readonly stop: () => Promise<void>;
}

/**
 * @param leasesLast milliseconds after which a silent replica is dead. Default: so long that none dies because the
 * machine stood still
 */
export async function replicasTest(
  settings: Partial<OutboundSettings> = {},
  leasesLast = 600_000,
): Promise<ReplicasTest> {
  const [clock, log, database] = [testClock(), silentLogger, await testDatabase()];
  const ports = inProcessPorts({ clock, log });
  const fake: TestService['fake'] = (contract, handler, route) =>
    ports.operations.serve(
      contract.name,
      async ({ body }) => ({ status: 200, body: await handler(body as never) }),
      route,
    );
  const network = new FakeSessions(clock, fake);
  await network.serve();
  const running = new Set<PreparedService>();
  const halt = async (service: PreparedService): Promise<void> => {
    if (!running.delete(service)) return;
    await service.stopIntake();
    await service.close();
  };
  let sequence = 0;
  const replica = async (): Promise<Replica> => {
    const door = inProcessOperationBus({ clock });
    let handle: EventHandler = async () => undefined;
    const operations: OperationBus = {
      request: ports.operations.request,
      serve: (name, handler, route) => (route === undefined ? door : ports.operations).serve(name, handler, route),
    };
    const events = {
      publishFrom: async () => async () => undefined,
      subscribe: async ({ handler }: { handler: EventHandler }) => {
        handle = handler;
        return async () => undefined;
      },
    };
    const service = await prepareService(
      outbound,
      { ...usual, replicaTtlMs: leasesLast, ...settings },
      {
        ports: { ...ports, operations, events },
        databaseUrl: database.url,
        connections: 6,
        clock,
        log,
        metrics: new Registry(),
        cache: memoryCache(clock),
        media: noMedia,
        encryption: encryptionKeys('a test key with 32 characters...'),
      },
    );
    running.add(service);
    await service.start();
    return {
      door,
      tell: (contract, data, { profileId, caller: { organizationId } }) => {
        sequence += 1;
        const about = { organizationId, profileId, key: profileId, sequence: String(sequence).padStart(20, '0') };
        const { type, version } = contract;
        const time = new Date(clock.now()).toISOString();
        return handle({ id: v7(), type, version, source: 'sessions', time, data, ...about } satisfies EventEnvelope);
      },
      stop: () => halt(service),
    };
  };
  const applyAt: ReplicasTest['applyAt'] = async ({ door }, { profileId, caller: { organizationId } }, policy) => {
    const id = v7();
    await door.request(ApplySendingPolicy.name, {
      requestId: id,
      resourceId: id,
      params: {},
      query: {},
      body: { organizationId, profileId, ...policy },
      deadline: clock.now() + 10_000,
    });
  };
  const profile: ReplicasTest['profile'] = async (at, policy = {}) => {
    const [profileId, caller] = [v7(), testCaller()];
    const made: ReplicasProfile = {
      profileId,
      caller,
      sendAt: ({ door }, text, { to = recipient, ...options } = {}) =>
        callAsGateway(door, clock, SendText, { caller, body: { profileId, to, text }, ...options }),
    };
    if (typeof policy.dailyMessageLimit === 'number') notOverMidnight(clock);
    await applyAt(at, made, { messageDelayMs: 0, ...policy });
    await network.hold(profileId);
    return made;
  };
  return {
    clock,
    network,
    replica,
    profile,
    applyAt,
    fake,
    get sql() {
      const [service] = running;
      if (service === undefined) throw new Error('No replica runs.');
      return service.database.sql;
    },
    stop: async () => {
      await Promise.all([...running].map(halt));
      await database.drop();
    },
  };
}

const usual: OutboundSettings = {
  durableSend: false,
  sendConcurrency: 10,
  rebalanceSeconds: 0,
  queuedMessageTtlHours: 72,
  receiptWindowDays: 90,
  sendHistoryRetentionDays: 400,
  ...noOtherChannels,
  isAlone: false,
  allowPrivateTargets: false,
  ffmpeg: undefined,
};
