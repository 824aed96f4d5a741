import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeProfile, EnsureDefaultAccount, operations, type Operation } from '@messaging-gateway/contracts';
import { createGateway, gatewaySettings } from '@messaging-gateway/gateway';
import { identity, identitySettings } from '@messaging-gateway/identity';
import { localMediaStore } from '@messaging-gateway/media';
import { Refused, type OperationBus } from '@messaging-gateway/messaging';
import { encryptionKeys, memoryCache, readSettings, silentLogger, systemClock } from '@messaging-gateway/runtime';
import { inProcessPorts, runInProcess, withSettings } from '@messaging-gateway/service';
import { testDatabase } from '@messaging-gateway/testing';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';

/** Code of the answer to an operation that got past the gateway's guard. */
const reachedCode = 'ENGINE_UNSUPPORTED';

/** Whether a request came past the guard, to its owner or to the checks of its input. */
export type Outcome = 'passes' | 401 | 403;

/** Headers. */
export type Credential = Readonly<Record<string, string>>;

export interface Guarded {
  /** Calls a route in earnest. */
  call(method: string, path: string, body: unknown, headers?: Credential): Promise<{ status: number; body: never }>;
  /** Knocks at a route: whoever owns it is kept out of it, so that nothing happens. */
  knock(operation: Operation, headers?: Credential): Promise<Outcome>;
  stop(): Promise<void>;
}

const environment = {
  NODE_ENV: 'test',
  API_HOST: '127.0.0.1',
  API_PORT: '0',
  JWT_SECRET: randomBytes(32).toString('hex'),
  JWT_REFRESH_SECRET: randomBytes(32).toString('hex'),
  RATE_LIMIT_GLOBAL: 'off',
  RATE_LIMIT_AUTH: 'off',
  RATE_LIMIT_MAX: '0',
};

/** The real gateway and identity on a real database; with `knock`, no operation is carried out. */
export async function startGuarded(): Promise<Guarded> {
  const database = await testDatabase();
  const pool = new Pool({ connectionString: database.url, max: 8 });
  const folder = mkdtempSync(join(tmpdir(), 'guarded-'));
  const [clock, log] = [systemClock, silentLogger];
  const shared = { clock, log, metrics: new Registry(), cache: memoryCache(clock), media: localMediaStore(folder) };
  const ports = inProcessPorts(shared);
  await ports.operations.serve(EnsureDefaultAccount.name, async () => ({ status: 200, body: { accountId: v7() } }));
  await ports.operations.serve(DescribeProfile.name, async () => ({
    status: 200,
    body: { profileId: v7(), status: 'created' },
  }));
  const running = await runInProcess([withSettings(identity, readSettings(identitySettings, environment))], {
    ...shared,
    ports,
    databaseUrl: database.url,
    encryption: encryptionKeys('k'.repeat(32)),
  });
  const doors = { shut: false };
  const gateway = await createGateway({
    ...shared,
    settings: readSettings(gatewaySettings, environment),
    operations: keptOut(ports.operations, doors),
    database: pool,
    ready: async () => ({ database: true, broker: true, cache: true, services: true, engine: 'socket-engine' }),
  });
  const ask = asking(`http://127.0.0.1:${gateway.port}/api/v1`);
  return {
    call: async (method, path, body, headers) => {
      doors.shut = false;
      const { status, text } = await ask(method, path, body, headers);
      return { status, body: (text === '' ? undefined : JSON.parse(text)) as never };
    },
    knock: async (operation, headers) => {
      doors.shut = true;
      const body = operation.method === 'GET' ? undefined : (operation.example ?? {});
      const path = operation.path.replaceAll(/:[^/]+/g, () => v7());
      const { status } = await ask(operation.method, path, body, headers);
      return status === 401 || status === 403 ? status : 'passes';
    },
    stop: async () => {
      await gateway.stop();
      await running.stop();
      await pool.end();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const asking =
  (base: string) =>
  async (
    method: string,
    path: string,
    body: unknown,
    headers: Credential = {},
  ): Promise<{ status: number; text: string }> => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(base + path, {
      method,
      headers: { ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };

const names = new Set(operations.map(({ name }) => name));

function keptOut(bus: OperationBus, doors: { readonly shut: boolean }): OperationBus {
  return {
    ...bus,
    serve: (...given) => bus.serve(...given),
    request: (name, ...given) => {
      if (doors.shut && names.has(name)) throw new Refused(reachedCode, 'Reached.');
      return bus.request(name, ...given);
    },
  };
}
