import type { TestRabbitMq } from '../servers/shared.ts';

/** Texts that were found in a queue. */
export interface QueueSearch {
  readonly queue: string;
  /** Messages that nobody can look at: the queue is a consumer's own, and goes with it. */
  readonly hidden: number;
  readonly found: readonly string[];
}

const most = 10_000;

/** Looks into every queue of a virtual host, and puts back what it took. Names and keys of queues count too. */
export async function searchRabbitMq(
  { manage, virtualHost }: Pick<TestRabbitMq, 'manage' | 'virtualHost'>,
  texts: readonly string[],
): Promise<QueueSearch[]> {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await manage(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const queues = await ask<{ name: string; exclusive: boolean; messages?: number }[]>(
    'GET',
    `/api/queues/${virtualHost}`,
  );
  return Promise.all(
    queues.map(async ({ name, exclusive, messages: count = 0 }) => {
      const path = `/api/queues/${virtualHost}/${encodeURIComponent(name)}`;
      const taking = { count: most, ackmode: 'ack_requeue_true', encoding: 'auto' };
      const messages = exclusive ? [] : await ask<Message[]>('POST', `${path}/get`, taking);
      const bindings = await ask<unknown[]>('GET', `${path}/bindings`);
      const held = messages.map((message) => JSON.stringify({ ...message, payload: payloadOf(message) }));
      const all = [name, JSON.stringify(bindings), ...held].join('\n');
      return { queue: name, hidden: exclusive ? count : 0, found: texts.filter((text) => all.includes(text)) };
    }),
  );
}

interface Message {
  readonly payload: string;
  readonly payload_encoding: string;
}

const payloadOf = ({ payload, payload_encoding }: Message): string =>
  payload_encoding === 'base64' ? Buffer.from(payload, 'base64').toString() : payload;
