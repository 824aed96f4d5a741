import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations as catalogue, type OperationReply, type OperationRequest } from '@messaging-gateway/contracts';
import { localMediaStore, type MediaStore } from '@messaging-gateway/media';
import { inProcessOperationBus, type OperationBus } from '@messaging-gateway/messaging';
import {
  memoryCache,
  readSettings,
  silentLogger,
  testClock,
  type Cache,
  type Logger,
  type TestClock,
} from '@messaging-gateway/runtime';
import { Pool } from 'pg';
import { Registry } from 'prom-client';
import { createGateway, gatewaySettings, type Gateway, type GatewayOptions, type ReadinessState } from '../index.ts';
import { accessSecret, FakeIdentity, patient } from './fake-identity.ts';
import { testOperations } from './test-operations.ts';

export { accessSecret } from './fake-identity.ts';
export const refreshSecret = randomBytes(32).toString('hex');

/** Silent, but for what nobody foresaw: a test that gets 500 shows what was behind it. */
const loudAboutFaults: Logger = {
  ...silentLogger,
  error: (message, fields) => {
    if (fields?.['code'] === 'INTERNAL_ERROR') console.error(message, fields);
  },
  child: () => loudAboutFaults,
};

export interface TestGateway {
  readonly gateway: Gateway;
  readonly url: string;
  readonly bus: OperationBus;
  readonly clock: TestClock;
  readonly cache: Cache;
  readonly media: MediaStore;
  readonly identity: FakeIdentity;
  /** Switch parts off to see readiness. */
  readonly state: { -readonly [K in keyof ReadinessState]: ReadinessState[K] };
  /** Serves an operation and notes what it was asked. */
  own(name: string, handler: (request: OperationRequest) => Promise<OperationReply>): Promise<OperationRequest[]>;
  stop(owners?: () => Promise<void>): Promise<void>;
}

export interface TestGatewayOptions {
  readonly databaseUrl: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly options?: Partial<GatewayOptions>;
  /** Another replica: it shares bus, clock and identity, and whatever else is passed to both. */
  readonly beside?: Surroundings;
}

type Surroundings = Pick<TestGateway, 'clock' | 'bus' | 'identity'>;

async function newSurroundings(): Promise<Surroundings> {
  const clock = testClock();
  const bus = inProcessOperationBus({ clock });
  const identity = new FakeIdentity();
  await identity.serve(bus);
  return { clock, bus, identity };
}

/** A gateway on a random port, with throttles off unless the test switches them on. */
export async function startTestGateway({
  databaseUrl,
  environment = {},
  options = {},
  beside,
}: TestGatewayOptions): Promise<TestGateway> {
  const { clock, bus, identity } = beside ?? (await newSurroundings());
  const cache = options.cache ?? memoryCache(clock);
  const folder = join(tmpdir(), `media-${randomUUID()}`);
  const media = options.media ?? localMediaStore(folder);
  const state = { database: true, broker: true, cache: true, services: true, engine: 'socket-engine' };
  const database = new Pool({ connectionString: databaseUrl, max: 8 });
  database.on('error', () => undefined); // a database that goes away is part of some tests
  const settings = readSettings(gatewaySettings, {
    NODE_ENV: 'test',
    API_HOST: '127.0.0.1',
    API_PORT: '0',
    JWT_SECRET: accessSecret,
    JWT_REFRESH_SECRET: refreshSecret,
    RATE_LIMIT_GLOBAL: 'off',
    RATE_LIMIT_AUTH: 'off',
    RATE_LIMIT_MAX: '0',
    ...environment,
  });
  const gateway = await createGateway({
    settings,
    operations: patient(bus),
    cache,
    media,
    clock,
    log: loudAboutFaults,
    metrics: new Registry(),
    database,
    ready: () => state,
    catalogue: [...catalogue, ...testOperations],
    ...options,
  });
  return {
    gateway,
    url: `http://127.0.0.1:${gateway.port}`,
    bus,
    clock,
    cache,
    media,
    identity,
    state,
    own: async (name, handler) => {
      const asked: OperationRequest[] = [];
      await bus.serve(name, (request) => {
        asked.push(request);
        return handler(request);
      });
      return asked;
    },
    stop: async (owners) => {
      await gateway.stop(owners);
      await database.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Call {
  readonly token?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | FormData;
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, never> & {
    error: { code: string; message: string; details: unknown; requestId: string };
  };
}

/** Calls a route below `/api/v1`, or any path that begins with `//`. */
export async function call(gateway: TestGateway, method: string, path: string, given: Call = {}): Promise<Called> {
  const headers: Record<string, string> = { ...given.headers };
  if (given.token !== undefined) headers['Authorization'] = `Bearer ${given.token}`;
  if (given.key !== undefined) headers['X-API-Key'] = given.key;
  if (given.body !== undefined) headers['Content-Type'] ??= 'application/json';
  const body = given.raw ?? (given.body === undefined ? undefined : JSON.stringify(given.body));
  const target = path.startsWith('//') ? gateway.url + path.slice(1) : `${gateway.url}/api/v1${path}`;
  const answer = await fetch(target, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true && text !== '';
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as Called['body'],
  };
}
