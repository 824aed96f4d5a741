import { randomUUID } from 'node:crypto';
import type { Redis } from '@messaging-gateway/redis';
import type { Logger } from '@messaging-gateway/runtime';
import type { HandledElsewhere } from '../bindings.ts';

/** Events handled within so many milliseconds are told together. */
const gatherMs = 4;

/** `close` ends its connection. */
export interface HandledOverRedis extends HandledElsewhere {
  close(): Promise<void>;
}

/**
 * Replicas of a service tell each other which events they have handled, over a channel of Redis: one message for all
 * that were handled within some milliseconds. What is lost with Redis costs a read up to a second, never truth.
 *
 * @see docs/decisions/0272-reads-follow-writes-across-replicas.md
 */
export function handledOverRedis({ client, send, prefix }: Redis, service: string, log: Logger): HandledOverRedis {
  const channel = `${prefix}handled:${service}`;
  const self = randomUUID();
  const listeners = new Set<(id: string) => void>();
  let gathered: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const message = [self, ...gathered].join(' ');
    gathered = [];
    send(['PUBLISH', channel, message]).catch(() => undefined);
  };
  const hear = (message: string): void => {
    const [from, ...ids] = message.split(' ');
    if (from === self) return;
    for (const id of ids) for (const listener of listeners) listener(id);
  };
  const subscriber = client.duplicate();
  subscriber.on('error', () => undefined); // the other connection tells that Redis is away
  subscriber
    .connect()
    .then(() => subscriber.subscribe(channel, hear))
    .catch((error: unknown) => log.debug('Not subscribed', { channel, reason: String(error) }));
  return {
    tell: (id) => {
      gathered.push(id);
      timer ??= setTimeout(flush, gatherMs);
    },
    onHeard: (listener) => void listeners.add(listener),
    close: async () => {
      clearTimeout(timer);
      subscriber.destroy();
    },
  };
}
