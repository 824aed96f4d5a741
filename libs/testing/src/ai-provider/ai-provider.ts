import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answers, type AskedBody, type Reply } from './answering.ts';
import { faults, type Fault } from './faults.ts';

/** A request as it came. */
interface AskedProvider {
  /** For example `/v1/chat/completions`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: AskedBody;
}

/** How a request is answered: rightly, only after `release()`, or in a wrong way. */
export type ProviderBehaviour = 'normal' | 'slow' | Fault;

/** An OpenAI-compatible provider on loopback: `/v1/chat/completions` and `/v1/embeddings`. */
export interface FakeAiProvider {
  /** For `AI_BASE_URL`, ends in `/v1`. */
  readonly baseUrl: string;
  /** All that it was asked, the oldest first. */
  readonly asked: readonly AskedProvider[];
  /** Requests whose answer has neither ended nor been given up by whoever asked. */
  readonly open: number;
  /** From now on; `normal` at first. */
  behave(behaviour: ProviderBehaviour): void;
  /** For the next requests, one each; those after them as before. */
  next(...behaviours: readonly ProviderBehaviour[]): void;
  /** Sets what the model says: a text, or more. At first `You said: <the last message>`. */
  replyWith(reply: Reply): void;
  /** Answers those who wait because it is `slow`, and is so no longer for those to come. */
  release(): void;
  /** Resolves once it was asked so often in all. */
  waitForAsked(count: number): Promise<void>;
  /** Resolves once nobody waits for it any more. */
  waitUntilIdle(): Promise<void>;
  stop(): Promise<void>;
}

export async function startAiProvider(): Promise<FakeAiProvider> {
  const provider = new Provider();
  const server = createServer((request, response) => void provider.take(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(provider, {
    baseUrl: `${origin}/v1`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

class Provider {
  readonly asked: AskedProvider[] = [];
  open = 0;
  #behaviour: ProviderBehaviour = 'normal';
  readonly #next: ProviderBehaviour[] = [];
  #reply: Reply = ({ messages }) => `You said: ${String(messages?.at(-1)?.content)}`;
  #released = Promise.withResolvers<void>();
  readonly #looking = new Set<() => void>();

  behave(behaviour: ProviderBehaviour): void {
    this.#behaviour = behaviour;
  }

  next(...behaviours: readonly ProviderBehaviour[]): void {
    this.#next.push(...behaviours);
  }

  replyWith(reply: Reply): void {
    this.#reply = reply;
  }

  release(): void {
    if (this.#behaviour === 'slow') this.#behaviour = 'normal';
    this.#released.resolve();
    this.#released = Promise.withResolvers();
  }

  waitForAsked(count: number): Promise<void> {
    return this.#until(() => this.asked.length >= count);
  }

  waitUntilIdle(): Promise<void> {
    return this.#until(() => this.open === 0);
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as AskedBody;
    const behaviour = this.#next.shift() ?? this.#behaviour;
    this.open += 1;
    response.once('close', () => {
      this.open -= 1;
      this.#look();
    });
    this.asked.push({ path, headers: request.headers, body });
    if (behaviour === 'slow') void this.#released.promise.then(() => this.#answer(path, body, response));
    else if (behaviour === 'normal') await this.#answer(path, body, response);
    else faults[behaviour](response, body);
    this.#look();
  }

  async #answer(path: string, body: AskedBody, response: ServerResponse): Promise<void> {
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end('{}');
    else await answer(body, response, this.#reply);
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return;
        this.#looking.delete(look);
        resolve();
      };
      this.#looking.add(look);
      look();
    });
  }

  #look(): void {
    for (const look of this.#looking) look();
  }
}
