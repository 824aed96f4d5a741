import { ApplySendingPolicy, SendText, type Caller, type OperationReply } from '@messaging-gateway/contracts';
import { openRabbitMq } from '@messaging-gateway/messaging/brokers';
import { silentLogger, systemClock } from '@messaging-gateway/runtime';
import { openDatabase, type Sql } from '@messaging-gateway/service';
import { callAsGateway, testCaller, type CallOptions } from '@messaging-gateway/service/testing';
import { testDatabase, testRabbitMq } from '@messaging-gateway/testing';
import { v7 } from 'uuid';
import { outbound } from '../index.ts';
import { FakeSessions } from './fake-sessions.ts';
import { recipient } from './outbound-test.ts';
import { ReplicaProcess } from './replica-process.ts';

export interface ProcessesProfile {
  readonly profileId: string;
  readonly caller: Caller;
  readonly sendAt: (
    replica: ReplicaProcess,
    text: string,
    options?: Pick<CallOptions, 'resourceId' | 'repeated'>,
  ) => Promise<OperationReply>;
}

/** Replicas of outbound, each its own process, on one database and one RabbitMQ, with a network in the test's process. */
export interface ProcessesTest {
  readonly network: FakeSessions;
  readonly sql: Sql;
  readonly start: (count: number) => Promise<ReplicaProcess[]>;
  readonly profile: (at: ReplicaProcess, messageDelayMs?: number) => Promise<ProcessesProfile>;
  readonly stop: () => Promise<void>;
}

export async function processesTest(durableSend: boolean): Promise<ProcessesTest> {
  const [clock, log] = [systemClock, silentLogger];
  const [database, rabbit] = await Promise.all([testDatabase(), testRabbitMq()]);
  const broker = openRabbitMq({ url: rabbit.url, clock, log });
  const network = new FakeSessions(clock, (contract, handler, route) =>
    broker.operations.serve(
      contract.name,
      async ({ body }) => ({ status: 200, body: await handler(body as never) }),
      route,
    ),
  );
  await network.serve();
  const { storage, migrations } = outbound;
  const opened = await openDatabase({ url: database.url, schema: storage.schema, migrations, log });
  const running: ReplicaProcess[] = [];
  return {
    network,
    sql: opened.sql,
    start: async (count) => {
      const options = { databaseUrl: database.url, brokerUrl: rabbit.url, durableSend };
      const started = Array.from({ length: count }, () => new ReplicaProcess(options));
      running.push(...started);
      await Promise.all(started.map(({ ready }) => ready));
      return started;
    },
    profile: async ({ door }, messageDelayMs = 0) => {
      const [profileId, caller, id] = [v7(), testCaller(), v7()];
      const { organizationId } = caller;
      const asked = { requestId: id, resourceId: id, params: {}, query: {}, deadline: clock.now() + 10_000 };
      await door.request(ApplySendingPolicy.name, { ...asked, body: { organizationId, profileId, messageDelayMs } });
      await network.hold(profileId);
      return {
        profileId,
        caller,
        sendAt: (replica, text, options = {}) =>
          callAsGateway(replica.door, clock, SendText, {
            caller,
            body: { profileId, to: recipient, text },
            ...options,
          }),
      };
    },
    stop: async () => {
      await Promise.all(running.map((replica) => replica.kill()));
      network.end();
      await broker.close();
      await opened.close();
      await database.drop();
      await rabbit.drop();
    },
  };
}
