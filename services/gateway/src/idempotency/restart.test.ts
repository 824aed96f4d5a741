import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { testDatabase, type TestDatabase } from '@messaging-gateway/testing';
import { Client } from 'pg';
import { call, startTestGateway, type Call, type Called, type TestGateway } from '../testing/test-gateway.ts';

const hangingGateway = fileURLToPath(new URL('../testing/hanging-gateway.ts', import.meta.url));

let database: TestDatabase;
let gateway: TestGateway;
let token: string;
let organizationId: string;
let asked: OperationRequest[];
let answer: (request: OperationRequest) => Promise<OperationReply>;

const made = async ({ body, resourceId, repeated = false }: OperationRequest): Promise<OperationReply> => ({
  status: 201,
  body: { id: resourceId, name: (body as { name: string }).name, repeated },
});

/** A new process on the same database; the same person is signed in. */
async function start(alone = false): Promise<void> {
  gateway = await startTestGateway({ databaseUrl: database.url, options: { alone } });
  organizationId ||= randomUUID();
  ({ token } = gateway.identity.signIn(gateway.clock, { organizationId, permissions: ['message:send'] }));
  asked = await gateway.own('CreateThing', (request) => answer(request));
  await gateway.own('OpenThing', (request) => answer(request));
}

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  answer = made;
  return start();
});
afterEach(() => gateway.stop());
afterAll(() => database.drop());

const post = (key: string | undefined, given: Call = {}): Promise<Called> =>
  call(gateway, 'POST', '/things', {
    token,
    body: { name: 'one' },
    ...given,
    headers: { ...(key !== undefined && { 'idempotency-key': key }), ...given.headers },
  });
const outcome = ({ status, body, headers }: Called): unknown[] => [
  status,
  status < 300 ? body['id'] : body.error.code,
  headers.get('idempotency-replayed'),
];
const hold = (): { arrived: Promise<void>; letGo: () => void } => {
  const [here, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  answer = async (request) => {
    here.resolve();
    await go.promise;
    return made(request);
  };
  return { arrived: here.promise, letGo: go.resolve };
};

describe('a restart', () => {
  it('loses no answer', async () => {
    const key = randomUUID();
    const first = await post(key);
    await gateway.stop();
    await start();
    expect([(await post(key)).text, asked.length]).toEqual([first.text, 0]);
  });

  /** The process dies in the middle: its gateway never finishes, and nobody notes an end. */
  const dieInTheMiddle = async (key: string): Promise<{ buried: TestGateway; letGo: () => void }> => {
    const { arrived, letGo } = hold();
    void post(key).catch(() => undefined);
    await arrived;
    return { buried: gateway, letGo };
  };

  it('lets a repeat go on with the resource of a request that was cut off', async () => {
    const key = randomUUID();
    const { buried, letGo } = await dieInTheMiddle(key);
    const lost = asked[0]?.resourceId;
    answer = made;
    await start(true);
    const repeated = await post(key);
    expect([repeated.status, repeated.body['id'], repeated.body['repeated']]).toEqual([201, lost, true]);
    letGo();
    await buried.stop();
    expect(outcome(await post(key))).toEqual([201, lost, 'true']);
  });

  it('of one replica of several leaves its requests running until their lease is over', async () => {
    const key = randomUUID();
    const { buried, letGo } = await dieInTheMiddle(key);
    answer = made;
    await start(false);
    expect((await post(key)).status).toBe(409);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      "update gateway.idempotency_keys set lease_until = now() - interval '1 second' where claim is not null",
    );
    await client.end();
    expect((await post(key)).body['repeated']).toBe(true);
    letGo();
    await buried.stop();
  });

  it('after a kill -9 goes on with the resource, and nothing that was answered is lost', async () => {
    const [answered, cut] = [randomUUID(), randomUUID()];
    const first = await post(answered);
    await gateway.stop();
    const child = fork(hangingGateway, [database.url, organizationId], { execArgv: [], stdio: 'ignore' });
    const [{ url, token: theirs }] = (await once(child, 'message')) as [{ url: string; token: string }];
    const headers = { authorization: `Bearer ${theirs}`, 'content-type': 'application/json', 'idempotency-key': cut };
    const lost = fetch(`${url}/api/v1/things`, { method: 'POST', headers, body: '{"name":"one"}' }).catch(
      () => 'cut off',
    );
    const [{ reached }] = (await once(child, 'message')) as [{ reached: string }];
    child.kill('SIGKILL');
    expect(await lost).toBe('cut off');
    await start(true);
    expect((await post(cut)).body).toEqual({ id: reached, name: 'one', repeated: true });
    expect((await post(answered)).text).toBe(first.text);
  });
});
