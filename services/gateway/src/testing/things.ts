import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { call, startTestGateway, type Call, type Called, type TestGateway } from './test-gateway.ts';

/** The usual answer of the owner of things. */
export const made = async ({ body, resourceId, repeated = false }: OperationRequest): Promise<OperationReply> => ({
  status: 201,
  body: { id: resourceId, name: (body as { name: string }).name, repeated },
});

/** Status, what was made or why not, and whether the answer is a repeated one. */
export const outcome = ({ status, body, headers }: Called): unknown[] => [
  status,
  status < 300 ? body['id'] : body.error.code,
  headers.get('idempotency-replayed'),
];

/** A client that posts things with Idempotency-Keys, and the owner of things, who answers as a test wants. */
export class Things {
  readonly organizationId = randomUUID();
  readonly #databaseUrl: string;
  #gateway: TestGateway | undefined;
  answer = made;
  asked: OperationRequest[] = [];
  token = '';

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  get gateway(): TestGateway {
    if (this.#gateway === undefined) throw new Error('No gateway has been started.');
    return this.#gateway;
  }

  /** A new process on the same database; the same person is signed in. */
  async start(alone = false): Promise<void> {
    await this.use(await startTestGateway({ databaseUrl: this.#databaseUrl, options: { alone } }));
  }

  /** Goes on with a gateway that was started elsewhere. */
  async use(gateway: TestGateway): Promise<void> {
    this.#gateway = gateway;
    const { organizationId } = this;
    ({ token: this.token } = gateway.identity.signIn(gateway.clock, { organizationId, permissions: ['message:send'] }));
    this.asked = await gateway.own('CreateThing', (request) => this.answer(request));
    await gateway.own('OpenThing', (request) => this.answer(request));
  }

  post(key: string | undefined, given: Call = {}, gateway = this.gateway): Promise<Called> {
    return call(gateway, 'POST', '/things', {
      token: this.token,
      body: { name: 'one' },
      ...given,
      headers: { ...(key !== undefined && { 'idempotency-key': key }), ...given.headers },
    });
  }

  /** The owner does not answer until it is let go. */
  hold(): { arrived: Promise<void>; letGo: () => void } {
    const [here, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.answer = async (request) => {
      here.resolve();
      await go.promise;
      return made(request);
    };
    return { arrived: here.promise, letGo: go.resolve };
  }

  /**
   * Posts at a gateway in a process of its own, which is killed (-9) when the owner has got the request.
   *
   * @returns the id that the owner was given
   */
  async postAndKill(key: string, kind: 'alone' | 'replica'): Promise<string> {
    const file = fileURLToPath(new URL('hanging-gateway.child.ts', import.meta.url));
    const child = fork(file, [this.#databaseUrl, this.organizationId, kind], { execArgv: [], stdio: 'ignore' });
    const { url, token } = await message<{ url: string; token: string }>(child);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key };
    const lost = fetch(`${url}/api/v1/things`, { method: 'POST', headers, body: '{"name":"one"}' }).then(
      ({ status }) => Promise.reject(new Error(`It was answered with ${status}.`)),
      () => undefined,
    );
    const { reached } = await message<{ reached: string }>(child);
    child.kill('SIGKILL');
    await lost;
    return reached;
  }
}

async function message<T>(child: ChildProcess): Promise<T> {
  const [sent] = (await once(child, 'message')) as [T];
  return sent;
}
